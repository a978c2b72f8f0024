import type { Stored } from '../domain/stored.ts'
import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

/** Selects access log entries. Matching entries are sorted from newest to oldest. */
export interface AccessLogQuery {
  /** The start of the period, in milliseconds since the Unix epoch. The period includes `start` and `end`. */
  readonly start: number
  readonly end: number
  readonly onlySuccessful: boolean
  /** The IP address of the client. If undefined, entries with any IP address match. */
  readonly ipAddress: string | undefined
  readonly limit: number
}

export interface AccessLogEntry {
  readonly id: string
  readonly groupId: string
  readonly clusterName: string
  readonly hostname: string
  readonly ipAddress: string
  readonly succeeded: boolean
  readonly at: number
  readonly document: Stored<unknown>
}

interface Wanted extends Record<string, string | number> {
  groupId: string
  target: string
  start: number
  end: number
  /**
   * If 1, only successful attempts match. If 0, all attempts match. Successful attempts are stored with the value 1.
   */
  onlySuccessful: number
  /** The IP address of the client. If empty, entries with any IP address match. */
  ipAddress: string
  limit: number
}

const select = (column: 'cluster_name' | 'hostname') =>
  statement((db, $: Slots<Wanted>) =>
    db
      .selectFrom('access_logs')
      .select('document')
      .where('group_id', '=', $('groupId'))
      .where(column, '=', $('target'))
      .where('at', '>=', $('start'))
      .where('at', '<=', $('end'))
      .where('succeeded', '>=', $('onlySuccessful'))
      .where((eb) => eb.or([eb(eb.val(''), '=', $('ipAddress')), eb('ip_address', '=', $('ipAddress'))]))
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit($('limit')),
  )
const ofCluster = select('cluster_name')
const ofHost = select('hostname')

interface Values extends Record<string, string | number> {
  id: string
  groupId: string
  clusterName: string
  hostname: string
  ipAddress: string
  succeeded: number
  at: number
  document: string
}

const insert = statement((db, $: Slots<Values>) =>
  db.insertInto('access_logs').values({
    id: $('id'),
    group_id: $('groupId'),
    cluster_name: $('clusterName'),
    hostname: $('hostname'),
    ip_address: $('ipAddress'),
    succeeded: $('succeeded'),
    at: $('at'),
    document: $('document'),
  }),
)

export const accessLogs = {
  async ofCluster(session: Session, groupId: string, name: string, query: AccessLogQuery) {
    return documents(await session.all(ofCluster, wanted(groupId, name, query)))
  },

  async ofHost(session: Session, groupId: string, hostname: string, query: AccessLogQuery) {
    return documents(await session.all(ofHost, wanted(groupId, hostname, query)))
  },

  async insert(session: Session, { document, succeeded, ...entry }: AccessLogEntry): Promise<void> {
    await session.all(insert, { ...entry, document: document.text, succeeded: succeeded ? 1 : 0 })
  },
}

function wanted(
  groupId: string,
  target: string,
  { onlySuccessful, ipAddress, ...rest }: AccessLogQuery,
): Wanted {
  return { groupId, target, onlySuccessful: onlySuccessful ? 1 : 0, ipAddress: ipAddress ?? '', ...rest }
}

function documents(rows: readonly { document: string }[]): string[] {
  return rows.map((row) => row.document)
}
