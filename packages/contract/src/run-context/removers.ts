import type { OperationId, OperationRow } from '@svc-admin/types'
import { operations } from '@svc-admin/types'
import { isObject, type Json, stringAt } from '../document/json.ts'

/** The operation that removes what another operation creates, and the path parameters that identify it. */
export interface Remover {
  readonly id: OperationId
  readonly parameters: readonly string[]
}

/** Returns the last parameter of a path, if the path ends with a parameter. */
export const lastParameter = (path: string): string | undefined => /\{(\w+)\}$/.exec(path)?.[1]

/** Returns whether an operation removes a single resource. Canceling a job doesn't remove it. */
export const removesOne = ({ id, method, path }: Pick<OperationRow, 'id' | 'method' | 'path'>): boolean =>
  method === 'DELETE' && !id.startsWith('cancel') && lastParameter(path) !== undefined

/**
 * Returns the operation that removes what a create operation creates. The path of the remove operation is the path of
 * the create operation with additional parameters.
 */
export const removerOf = (create: Pick<OperationRow, 'method' | 'path'>): Remover | undefined => {
  if (create.method !== 'POST') return undefined
  const start = `${create.path}/`
  const removers = Object.values(operations).flatMap(({ id, method, path }): Remover[] => {
    if (method !== 'DELETE' || !path.startsWith(start)) return []
    const parameters = path
      .slice(start.length)
      .split('/')
      .map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1])
    return parameters.every((name) => name !== undefined) ? [{ id, parameters }] : []
  })
  return removers.sort((one, other) => one.parameters.length - other.parameters.length)[0]
}

/** The list that contains the resources that an operation removes. */
export interface Collection {
  readonly list: OperationId
  readonly remover: Remover
}

export const collectionOf = (removing: OperationId): Collection | undefined => {
  for (const create of Object.values(operations)) {
    const remover = removerOf(create)
    if (remover?.id !== removing) continue
    const list = Object.values(operations).find(
      ({ method, path }) => method === 'GET' && path === create.path,
    )
    if (list !== undefined) return { list: list.id, remover }
  }
  return undefined
}

/** Returns the fields that may contain the value of a path parameter, starting with the most likely one. */
const fieldsFor = (parameter: string): readonly string[] =>
  parameter === 'cloudProvider' ? ['providerName'] : [parameter, 'id', '_id']

/** Returns the path parameters of a resource, or `undefined` if its fields don't contain them. */
export const namesIn = (
  { parameters }: Remover,
  resource: Json | undefined,
): Record<string, string> | undefined => {
  const content = isObject(resource) && 'content' in resource ? resource.content : resource
  const names: Record<string, string> = {}
  for (const parameter of parameters) {
    const value = fieldsFor(parameter)
      .map((field) => stringAt(content, field))
      .find((one) => one !== undefined)
    if (value === undefined) return undefined
    names[parameter] = value
  }
  return names
}
