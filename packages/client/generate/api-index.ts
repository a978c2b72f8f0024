import { findUnlistedKinds } from '@svc-admin/spec'
import { errorCodes, tokenErrors } from '@svc-admin/types'
import { wireLifecycles } from './lifecycles.ts'
import { resolve, type VersionModel } from './model.ts'
import { literal, property } from './schema-type.ts'

/** Generates the types that all versions share: versions, error codes and lifecycles. */
export function apiIndex(models: readonly VersionModel[]): string {
  const statuses = Object.entries(errorCodes).map(
    ([code, { status }]) => `readonly ${property(code)}: ${status}`,
  )
  const lifecycles = wireLifecycles(models).map(({ id, values, open }) => {
    const known = values.map(literal)
    return `readonly ${property(id)}: ${[...known, ...(open ? ['(string & {})'] : [])].join(' | ')}`
  })
  const fields = wireLifecycles(models).map(({ id, field }) => `readonly ${property(id)}: ${literal(field)}`)
  return [
    ...models.map(
      ({ namespace, version }) => `import type { Client as ${namespace}Client } from './${version}.d.ts'\n`,
    ),
    ...models.map(({ namespace, version }) => `export type * as ${namespace} from './${version}.d.ts'\n`),
    '/** The documented versions. */\n',
    `export type Version = ${models.map(({ version }) => literal(version)).join(' | ')}\n`,
    '/** The newest documented version. */\n',
    `export type NewestVersion = ${literal(models.at(-1)?.version ?? '')}\n`,
    '/** The client of each version. */\n',
    `export interface Clients {\n${models.map(({ namespace, version }) => `readonly ${literal(version)}: ${namespace}Client\n`).join('')}}\n`,
    '/** The documented error codes and their statuses. */\n',
    `export interface ErrorCatalogue {\n${statuses.join('\n')}\n}\n`,
    '/** A documented error code. */\n',
    'export type ErrorCode = keyof ErrorCatalogue\n',
    '/** The fields that contain the kind of an object, in unions that can have undocumented kinds. */\n',
    `export type KindField = ${kindFields(models).map(literal).join(' | ')}\n`,
    otherStatus,
    '/** The documented response headers. */\n',
    `export type HeaderName = ${headerNames(models).map(literal).join(' | ')}\n`,
    '/** The error codes of the token endpoint. */\n',
    `export type TokenErrorCode = ${Object.keys(tokenErrors).map(literal).join(' | ')}\n`,
    '/** The states in each lifecycle. */\n',
    `export interface Lifecycles {\n${lifecycles.join('\n')}\n}\n`,
    '/** The field that determines the state, for each lifecycle. */\n',
    `export interface LifecycleFields {\n${fields.join('\n')}\n}\n`,
  ].join('')
}

/** Generates a type with each version's paths, in the openapi-typescript format that openapi-fetch uses. */
export function pathsIndex(models: readonly VersionModel[]): string {
  const imports = models.map(
    ({ namespace, version }) => `import type { paths as ${namespace} } from '@svc-admin/types/${version}'\n`,
  )
  const rows = models.map(({ namespace, version }) => `readonly ${literal(version)}: ${namespace}\n`)
  return [
    ...imports,
    '/** The paths of each version. */\n',
    `export interface PathsByVersion {\n${rows.join('')}}\n`,
  ].join('')
}

/**
 * `OtherStatus` must be an enum. With any other numeric type, comparing the status with a documented status wouldn't
 * narrow the type.
 */
const otherStatus = `/**
 * A status that isn't documented for an operation, such as a gateway's 502 or 504. The type is a number that differs from
 * all documented statuses, so that comparing with those narrows the result. Compare with other statuses as numbers:
 * \`Number(outcome.status) === 502\`.
 */
declare enum OtherStatus {
  notDocumented = -1,
}
export type { OtherStatus }
`

function kindFields(models: readonly VersionModel[]): string[] {
  const kinds = models.flatMap(({ document }) => [...findUnlistedKinds(document.components.schemas).values()])
  return [...new Set(kinds.map(({ property }) => property))]
}

/**
 * Returns the names of all headers in documented responses, plus `Content-Type`, which every response with a body has.
 */
function headerNames(models: readonly VersionModel[]): string[] {
  const responses = models.flatMap(({ document, operations }) =>
    operations.flatMap(({ operation }) =>
      Object.values(operation.responses).map((each) => resolve(each, document.components.responses)),
    ),
  )
  const names = responses.flatMap(({ headers }) => Object.keys(headers ?? {}))
  return [...new Set(['Content-Type', ...names])].sort()
}
