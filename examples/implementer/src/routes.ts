import {
  type OperationId,
  type OperationRow,
  type OperationVersion,
  operations,
  versions,
} from '@svc-admin/types'
import { Problem } from './problem.ts'

/** The API areas that this server implements. */
export const areas = ['Alert Configurations', 'Alerts'] as const
type Area = (typeof areas)[number]

/** The operations in the implemented areas. If an operation has no handler, the code doesn't compile. */
export type AlertOperationId = {
  [Id in OperationId]: (typeof operations)[Id]['area'] extends Area ? Id : never
}[OperationId]

export interface Route {
  readonly operation: OperationRow & { readonly id: AlertOperationId }
  readonly generation: string
  /** The path prefix of the API generation. */
  readonly prefix: string
  /** Versions in which the operation changed, oldest first. */
  readonly versions: readonly string[]
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>
}

const isOurs = (row: OperationRow): row is OperationRow & { id: AlertOperationId } =>
  areas.some((area) => area === row.area)

const prefixes = new Map(versions.map(({ generation, prefix }) => [generation, prefix]))

/** A literal or parameter segment of a path. */
interface Part {
  readonly fixed?: string
  readonly name?: string
}

const partOf = (piece: string): Part => {
  const name = /^\{(.+)\}$/.exec(piece)?.[1]
  return name === undefined ? { fixed: piece } : { name }
}

const templates = [...prefixes].flatMap(([generation, prefix]) =>
  Object.values<OperationRow>(operations)
    .filter(isOurs)
    .map((operation) => ({
      operation,
      generation,
      prefix,
      versions: versions
        .filter((version) => version.generation === generation && version.id in operation.versions)
        .map(({ id }) => id),
      parts: `${prefix}${operation.path}`.split('/').map(partOf),
    }))
    .filter((template) => template.versions.length > 0),
)

/** The details of an operation in a specific version. */
export const rowOf = ({ operation }: Route, version: string): OperationVersion | undefined =>
  Object.entries(operation.versions).find(([id]) => id === version)?.[1]

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns the path parameters, or undefined if the path doesn't match. */
const matched = (parts: readonly Part[], segments: readonly string[]) => {
  if (parts.length !== segments.length) return undefined
  if (parts.some(({ fixed }, index) => fixed !== undefined && fixed !== segments[index])) return undefined
  const named = parts.map(({ name }, index) => [name, segments[index] ?? ''] as const)
  return Object.fromEntries(
    named.flatMap(([name, segment]) => (name === undefined ? [] : [[name, decoded(segment)]])),
  )
}

/**
 * Finds the operation for a request.
 *
 * @throws Problem 404 if no operation matches the path, or 405 if the path doesn't support the method.
 */
export const findRoute = (method: string, pathname: string): Route => {
  const segments = pathname.split('/')
  const found = templates.flatMap((template) => {
    const path = matched(template.parts, segments)
    return path ? [{ ...template, path }] : []
  })
  if (found.length === 0) throw new Problem('RESOURCE_NOT_FOUND', 'Unknown path.')
  const route = found.find(({ operation }) => operation.method === method)
  if (route) return route
  const allow = found.map(({ operation }) => operation.method)
  throw new Problem('METHOD_NOT_ALLOWED', `The path supports ${allow.join(', ')}.`, {
    headers: { Allow: allow.join(', ') },
  })
}
