import type { Json, OpenApiDocument, Parameter, Schema } from '@svc-admin/spec'
import { examplesOf, type OperationModel } from '../model/operation-model.ts'
import { resolveSchema } from '../model/resolve.ts'
import type { VersionModel } from '../model/site-model.ts'

/** One request with example values, from which the samples in every language are written. */
export interface SampleCall {
  readonly operationId: string
  readonly version: string
  readonly method: string
  /** From the root of the server, with the example values in it. */
  readonly path: string
  /** Path and query parameters by name, for clients that take them by name. */
  readonly arguments: Readonly<Record<string, Json>>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly accept: string
  readonly contentType?: string
  readonly body?: Json
  readonly paged: boolean
  readonly origin: string
  readonly tokenPath: string
  /** Takes the credentials of a service account themselves. */
  readonly basic: boolean
}

/** The example request of an operation: required parameters, and the first example of its body. */
export function sampleCall(version: VersionModel, model: OperationModel, tokenPath: string): SampleCall {
  const { document } = version
  const needed = model.parameters.filter(({ required }) => required)
  const values = new Map(needed.map((each) => [each.name, exampleOf(document, each)]))
  const path = model.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name) ?? name)),
  )
  const [example] = examplesOf(model.request)
  const url = document.servers?.[0]?.url ?? 'https://svc.example.com'
  return {
    operationId: model.id,
    version: version.id,
    method: model.method.toUpperCase(),
    path: `${model.prefix}${path}`,
    arguments: Object.fromEntries(values),
    query: needed.filter((each) => each.in === 'query').map(({ name }) => [name, String(values.get(name))]),
    accept: acceptOf(version, model),
    ...(model.request && { contentType: model.request.mediaType, body: example?.value ?? {} }),
    paged: model.operation['x-paged'] ?? false,
    origin: new URL(url, 'https://svc.example.com').origin,
    tokenPath,
    basic: model.basic,
  }
}

function acceptOf(version: VersionModel, { success, basic }: OperationModel): string {
  const [first] = success.flatMap(({ body }) => (body ? [body.mediaType] : []))
  return first ?? (basic ? 'application/json' : version.fact.mediaType)
}

/** The example of a parameter, or of its schema, or one that fits the type. */
export function exampleOf(document: OpenApiDocument, { example, schema, name }: Parameter): Json {
  return example ?? schemaExample(document, schema) ?? name
}

function schemaExample(document: OpenApiDocument, schema: Schema): Json | undefined {
  const resolved = resolveSchema(document, schema)
  const given = [resolved.examples?.[0], resolved.default, resolved.enum?.[0]]
  return given.find((value): value is Json => value !== undefined)
}
