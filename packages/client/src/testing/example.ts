import type { Clients, NewestVersion } from '#api'
import { allOperations } from '#tables/all-operations'
import { examples } from '#tables/examples'
import { versions } from '#tables/versions'
import { resolveVersion } from '../version.ts'
import type { DataOf, OperationsOf } from './handlers.ts'

/**
 * Returns an operation's response from the documented examples, with your changes to its fields.
 *
 * @param version Defaults to the newest version.
 * @example
 * const closed = example('getAlert', { status: 'CLOSED' })
 * const respond = createHandlers({ listAlerts: { links: [], results: [closed], totalCount: 1 } })
 * @throws TypeError for an operation that the version doesn't have.
 */
export function example<Id extends keyof OperationsOf<V> & string, V extends keyof Clients = NewestVersion>(
  id: Id,
  changes?: Partial<DataOf<OperationsOf<V>[Id]>>,
  version?: V,
): DataOf<OperationsOf<V>[Id]> {
  const wanted = version ?? Object.keys(versions).findLast((each) => /^\d/.test(each)) ?? ''
  const row = allOperations.find((each) => each.id === id)
  if (!row) throw new TypeError(`unknown operation ${id}`)
  const body = structuredClone(examples[id]?.[resolveVersion(row, wanted)]?.body)
  return (Array.isArray(body) || body === undefined ? body : { ...body, ...changes }) as DataOf<
    OperationsOf<V>[Id]
  >
}
