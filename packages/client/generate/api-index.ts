import { errorCodes, tokenErrors } from '@svc-admin/types'
import { wireLifecycles } from './lifecycles.ts'
import { resolve, type VersionModel } from './model.ts'
import { literal, property } from './schema-type.ts'

/** What is the same for all versions: their list, the catalogue of errors, the lifecycles. */
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
    '/** The versions that have a document, and types. */\n',
    `export type Version = ${models.map(({ version }) => literal(version)).join(' | ')}\n`,
    '/** The client of each version. */\n',
    `export interface Clients {\n${models.map(({ namespace, version }) => `readonly ${literal(version)}: ${namespace}Client\n`).join('')}}\n`,
    '/** The codes of the catalogue, and the status of each. */\n',
    `export interface ErrorCatalogue {\n${statuses.join('\n')}\n}\n`,
    'export type ErrorCode = keyof ErrorCatalogue\n',
    otherStatus,
    '/** The headers of answers that the documents name. */\n',
    `export type HeaderName = ${headerNames(models).map(literal).join(' | ')}\n`,
    '/** The errors of the token endpoint. */\n',
    `export type TokenErrorCode = ${Object.keys(tokenErrors).map(literal).join(' | ')}\n`,
    '/** The states of each lifecycle. */\n',
    `export interface Lifecycles {\n${lifecycles.join('\n')}\n}\n`,
    '/** The fields that hold them, or tell of them by being there. */\n',
    `export interface LifecycleFields {\n${fields.join('\n')}\n}\n`,
  ].join('')
}

/** A number that equals none of those that the documents name: of all types of numbers only an enumeration is known to. */
const otherStatus = `/**
 * A status that the documents do not name for an operation, as 502 and 504 of a gateway. It is a number that equals none
 * of the named ones, so that a comparison with one of those tells the results apart. One that you know yourself is
 * compared as a number: \`Number(outcome.status) === 502\`.
 */
declare enum OtherStatus {
  notDocumented = -1,
}
export type { OtherStatus }
`

/** Every header of every answer, and the one that each answer with a body has anyway. */
function headerNames(models: readonly VersionModel[]): string[] {
  const responses = models.flatMap(({ document, operations }) =>
    operations.flatMap(({ operation }) =>
      Object.values(operation.responses).map((each) => resolve(each, document.components.responses)),
    ),
  )
  const names = responses.flatMap(({ headers }) => Object.keys(headers ?? {}))
  return [...new Set(['Content-Type', ...names])].sort()
}
