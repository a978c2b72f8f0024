import type { OpenApiDocument, Operation, Parameter, PathItem, Response } from '@svc-admin/spec'
import { methods } from '@svc-admin/spec'
import { type OperationId, type OperationRow, operations } from '@svc-admin/types'

/** An operation from one document. References that the generator needs are already resolved. */
export interface OperationModel {
  readonly id: OperationId
  /** The operation's `id` in upper camel case, which is the prefix for its type names. */
  readonly typeName: string
  readonly row: OperationRow
  readonly path: string
  readonly operation: Operation
  readonly parameters: readonly Parameter[]
  /** The version in which the operation last changed. */
  readonly owner: string
  readonly success: { readonly status: number; readonly response: Response }
}

export interface VersionModel {
  readonly version: string
  readonly generation: string
  /** The name of the version's TypeScript namespace, such as `v2024_05_30`. */
  readonly namespace: string
  readonly document: OpenApiDocument
  readonly operations: readonly OperationModel[]
}

/** Reads the parts of a document that the generator needs. */
export function readModel(version: string, generation: string, document: OpenApiDocument): VersionModel {
  const found = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [readOperation(version, document, path, item, operation)] : []
    }),
  )
  const namespace = `v${version.replace(/^v/, '').replace(/\W/g, '_')}`
  return { version, generation, namespace, document, operations: found }
}

function readOperation(
  version: string,
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  operation: Operation,
): OperationModel {
  const id = operation.operationId as OperationId
  const row: OperationRow = operations[id]
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
    resolve(each, document.components.parameters),
  )
  const [status, response] = Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? []
  if (!row || !response) throw new Error(`${id} of ${version} has no row or no success response.`)
  return {
    id,
    typeName: id.replace(/^./, (first) => first.toUpperCase()),
    row,
    path,
    operation,
    parameters: parameters.filter((each) => each.in !== 'header'),
    owner: owningVersion(row, version),
    success: { status: Number(status), response: resolve(response, document.components.responses) },
  }
}

/** Returns the operation's newest version that is no newer than the document's version. */
export function owningVersion(row: OperationRow, version: string): string {
  const dated = Object.keys(row.versions).filter((owned) => /^\d/.test(owned) && owned <= version)
  const owner = version in row.versions ? version : dated.sort().at(-1)
  if (!owner) throw new Error(`${row.id} is in the document of ${version}, but has no version for it.`)
  return owner
}

export function resolve<T extends { $ref?: string }>(value: T, components: Record<string, T>): T {
  if (!value.$ref) return value
  const found = components[value.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`Unresolved reference ${value.$ref}.`)
  return found
}
