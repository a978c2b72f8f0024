import { projectId } from '../test/demo.ts'
import type { ServerProcess } from '../test/server-process.ts'
import type { TestResponse } from '../test/test-response.ts'
import type { HistoryEvent } from './history.ts'

const group = `/groups/${projectId}`
const indexes = `${group}/clusters/orders-eu/search/indexes`
const configs = `${group}/alertConfigs`
const place = { database: 'soak', collectionName: 'soak' }
export const listOfNames = `${indexes}/${place.database}/${place.collectionName}`

/** An alert's statuses, in the order in which an alert goes through them. */
const ranks = ['TRACKING', 'OPEN', 'CLOSED']
/** The number of clients that try to create the same name or report the same condition. */
const rivals = 6
const counterCount = 8
/**
 * The timeout in milliseconds. If a server is paused for longer than this timeout, requests to that server count as
 * unanswered.
 */
const patience = 20_000
/**
 * Status codes that a server may return after a long pause or after losing its database connection. The server may have
 * made the change even if it returns one of these status codes.
 */
const unheard = [408, 503]

export interface WorkloadOptions {
  readonly any: () => ServerProcess
  readonly random: () => number
  readonly operations: number
  readonly clients: number
}

export interface Workload {
  readonly history: readonly HistoryEvent[]
  /** The paths of the resources that count their own changes. */
  readonly counters: ReadonlyMap<string, string>
  readonly alerts: readonly string[]
  readonly answered: number
  readonly unanswered: number
}

interface Work extends WorkloadOptions {
  readonly history: HistoryEvent[]
  readonly counters: ReadonlyMap<string, string>
  readonly alerts: string[]
  /** Number of names, conditions and values that the clients have used so far. */
  readonly tried: { claims: number; events: number; marks: number }
  readonly told: { answered: number; unanswered: number }
}

/**
 * Runs clients that read and change shared resources at the same time.
 *
 * @param counters The paths that `prepare` returned.
 */
export async function runWorkload(
  options: WorkloadOptions,
  counters: ReadonlyMap<string, string>,
): Promise<Workload> {
  const work: Work = {
    ...options,
    history: [],
    counters,
    alerts: [],
    tried: { claims: 0, events: 0, marks: 0 },
    told: { answered: 0, unanswered: 0 },
  }
  let left = options.operations
  const client = async () => {
    while (left > 0) {
      left -= 1
      await step(work)
    }
  }
  await Promise.all(Array.from({ length: options.clients }, client))
  return { ...work, ...work.told }
}

/**
 * Creates the shared resources before any server is killed or paused. Returns the paths of the resources that count
 * their changes.
 */
export async function prepare(any: () => ServerProcess): Promise<ReadonlyMap<string, string>> {
  const counters = new Map<string, string>()
  const notifications = [
    { typeName: 'EMAIL', emailAddress: 'soak@svc.example', delayMin: 5, intervalMin: 30 },
  ]
  const config = { eventTypeName: 'HOST_DOWN', enabled: true, notifications }
  required(await any().ask(configs, { method: 'POST', json: config }))
  for (let number = 0; number < counterCount; number += 1) {
    const name = `counter-${number}`
    const json = { ...place, name, definition: definitionOf('') }
    const made = required(await any().ask(indexes, { method: 'POST', json }))
    counters.set(name, `${indexes}/${made.at('indexID')}`)
  }
  return counters
}

function required(response: TestResponse): TestResponse {
  if (response.status < 300) return response
  throw new Error(`${response.status}: ${JSON.stringify(response.body)}`)
}

type Step = (work: Work) => Promise<void>

const step: Step = (work) => {
  const chance = work.random()
  if (chance < 0.4) return update(work)
  if (chance < 0.65) return read(work)
  if (chance < 0.8) return claim(work)
  return chance < 0.85 ? raise(work) : look(work)
}

const update: Step = async (work) => {
  const [key, path] = counterOf(work)
  work.tried.marks += 1
  const mark = `m${work.tried.marks}`
  const json = { definition: definitionOf(mark) }
  await asked(
    work,
    (server, signal) => server.ask(path, { method: 'PATCH', json, signal }),
    (response, times) => {
      if (response && response.status >= 400) throw refusedWith(response)
      const done = response !== undefined && response.status < 300
      const outcome = done ? 'done' : 'unknown'
      return { kind: 'update', key, outcome, ...(done ? seen(response) : { count: 0 }), mark, ...times }
    },
  )
}

const read: Step = async (work) => {
  const [key, path] = counterOf(work)
  await asked(
    work,
    (server, signal) => server.ask(path, { signal }),
    (response, times) => {
      if (response?.status !== 200) return undefined
      return { kind: 'read', key, outcome: 'done', ...seen(response), ...times }
    },
  )
}

const claim: Step = async (work) => {
  const name = `name-${Math.floor(work.tried.claims / rivals)}`
  work.tried.claims += 1
  const json = { ...place, name, definition: definitionOf('') }
  await asked(
    work,
    (server, signal) => server.ask(indexes, { method: 'POST', json, signal }),
    (response, times) => {
      const outcome =
        response?.status === 409 ? 'refused' : response && response.status < 300 ? 'won' : 'unknown'
      return { kind: 'claim', key: name, outcome, ...times }
    },
  )
}

/** Reports that a new condition has started or that an existing condition has ended. */
const raise: Step = async (work) => {
  const number = Math.floor(work.tried.events / rivals)
  const active = work.random() < 0.7
  if (active) work.tried.events += 1
  const of = active ? number : Math.max(0, number - rivals)
  const body = { groupId: projectId, eventTypeName: 'HOST_DOWN', fields: { of: String(of) }, active }
  await asked(
    work,
    (server) => server.control('POST', '/events', body),
    (response) => {
      const { alerts: ids }: { alerts: string[] } =
        response?.status === 200 ? JSON.parse(response.text) : { alerts: [] }
      if (active) work.alerts.push(...ids.filter((id) => !work.alerts.includes(id)))
      return undefined
    },
  )
}

/** Reads an alert. Newer alerts are read more often, because their status still changes. */
const look: Step = async (work) => {
  const { alerts, random } = work
  const key = alerts[alerts.length - 1 - Math.floor(random() ** 2 * alerts.length)]
  if (key === undefined) return
  await asked(
    work,
    (server, signal) => server.ask(`${group}/alerts/${key}`, { signal }),
    (response, times) => {
      if (response?.status !== 200) return undefined
      return { kind: 'status', key, rank: ranks.indexOf(response.textAt('status')), ...times }
    },
  )
}

type Times = { readonly started: number; readonly ended: number }

async function asked(
  work: Work,
  ask: (server: ServerProcess, signal: AbortSignal) => Promise<TestResponse>,
  event: (response: TestResponse | undefined, times: Times) => HistoryEvent | undefined,
): Promise<void> {
  const started = performance.now()
  const told = await ask(work.any(), AbortSignal.timeout(patience)).catch(() => undefined)
  if (told && told.status >= 500 && told.status !== 503) throw refusedWith(told)
  const response = told && unheard.includes(told.status) ? undefined : told
  work.told[response ? 'answered' : 'unanswered'] += 1
  const found = event(response, { started, ended: performance.now() })
  if (found) work.history.push(found)
}

const refusedWith = ({ status, body }: TestResponse) => new Error(`${status}: ${JSON.stringify(body)}`)

/** Returns an index definition that contains the given value as a marker. */
const definitionOf = (mark: string) => ({
  mappings: { dynamic: true },
  ...(mark === '' ? {} : { searchAnalyzer: mark }),
})

/** Returns a resource's change count and the value written by its last change. */
export const seen = ({ at }: TestResponse): { count: number; mark: string } => ({
  count: Number(at('latestDefinitionVersion', 'version')),
  mark: String(at('latestDefinition', 'searchAnalyzer') ?? ''),
})

function counterOf({ counters, random }: Work): [string, string] {
  const all = [...counters]
  const found = all[Math.floor(random() * all.length)]
  if (!found) throw new Error('No counters')
  return found
}
