import { loadControlDocument, type Operation, type Parameter, type Schema } from '@svc-admin/spec'

export const controlDocument = loadControlDocument()

export interface ControlOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  /** The parameters of the operation and of its path, with references resolved. */
  readonly parameters: readonly Parameter[]
}

export const controlOperations: readonly ControlOperation[] = Object.entries(controlDocument.paths).flatMap(
  ([path, item]) =>
    (['get', 'put', 'post', 'delete'] as const).flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      return [
        { method: method.toUpperCase(), path, operation, parameters: parameters.map(resolved<Parameter>) },
      ]
    }),
)

export interface ControlBody {
  readonly schema: Schema
  readonly example: unknown
}

export function bodyOf({ requestBody }: Operation): ControlBody | undefined {
  const found = requestBody && resolved<NonNullable<Operation['requestBody']>>(requestBody)
  const media = found?.content['application/json']
  return media?.schema && { schema: resolved<Schema>(media.schema), example: Reflect.get(media, 'example') }
}

/** Resolves a local reference. */
export function resolved<T>(value: T): T {
  const reference: unknown = Reflect.get(Object(value), '$ref')
  if (typeof reference !== 'string') return value
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((within, name) => Reflect.get(Object(within), name), controlDocument) as T
}
