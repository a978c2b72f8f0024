import { type RunningServer, startServer } from '../../src/index.ts'
import { demoSecrets, projectId } from '../demo.ts'
import { digestHeader } from '../digest-client.ts'
import { violationsOf } from '../response-check.ts'
import { identifiersIn, twinOfDemo } from '../twin.ts'
import { type Chance, createChance } from './chance.ts'
import { type GeneratedRequest, generateRequest } from './requests.ts'

export interface GeneratedOptions {
  readonly requests: number
  readonly seed: number
  /** The server's database. Defaults to an in-memory database. */
  readonly database?: string
}

export interface GeneratedFigures {
  readonly requests: number
  /** The number of responses by status code. */
  readonly statuses: Readonly<Record<string, number>>
  /** The number of combinations of operation and version with at least one successful response. */
  readonly succeeded: number
  readonly codes: number
  readonly seconds: number
  /** Descriptions of all violations, including the requests that caused them. */
  readonly faults: readonly string[]
}

interface Run {
  readonly server: RunningServer
  readonly chance: Chance
  readonly identifiers: string[]
  readonly statuses: Record<string, number>
  readonly succeeded: Set<string>
  readonly codes: Set<string>
  readonly faults: string[]
  nonce: { readonly value: string; count: number }
}

const abreast = 4
/** The number of requests between two events or clock changes. */
const eventEvery = 25
const resetEvery = 2500
const identifierLimit = 400

/** Sends generated requests and validates all responses against the OpenAPI documents. */
export async function runGenerated({
  requests,
  seed,
  database,
}: GeneratedOptions): Promise<GeneratedFigures> {
  const begun = performance.now()
  const options = {
    sandbox: true,
    webhooks: false,
    requestTimeout: 60_000,
    headersTimeout: 60_000,
    ...(database === undefined ? {} : { database }),
  }
  const server = await startServer({ ...options, realTime: () => Date.UTC(2026, 2, 1, 12) })
  const run: Run = {
    server,
    chance: createChance(seed),
    identifiers: [],
    statuses: {},
    succeeded: new Set(),
    codes: new Set(),
    faults: [],
    nonce: { value: '', count: 0 },
  }
  try {
    await begin(run)
    for (let sent = 0; sent < requests; sent += abreast) {
      if (sent % resetEvery === 0 && sent > 0) await begin(run)
      else if (sent % eventEvery < abreast) await happen(run)
      // Resetting the world invalidates nonces, and advancing the clock makes them expire.
      if (sent % eventEvery < abreast) await renewNonce(run)
      await Promise.all(Array.from({ length: Math.min(abreast, requests - sent) }, () => send(run)))
    }
  } finally {
    await server.stop()
  }
  const { statuses, succeeded, codes, faults } = run
  const seconds = Math.round((performance.now() - begun) / 1000)
  return { requests, statuses, succeeded: succeeded.size, codes: codes.size, seconds, faults }
}

async function control({ server }: Run, method: string, path: string, body: unknown = {}): Promise<void> {
  await fetch(`${server.controlUrl}${path}`, { method, body: JSON.stringify(body) })
}

/** Adds the demo and a copy with different IDs to the database. */
async function begin(run: Run): Promise<void> {
  await control(run, 'POST', '/reset')
  await control(run, 'POST', '/seed', twinOfDemo())
  run.identifiers.splice(
    0,
    Number.POSITIVE_INFINITY,
    ...identifiersIn(twinOfDemo()).slice(0, identifierLimit / 2),
  )
}

async function happen(run: Run): Promise<void> {
  const { chance } = run
  const happenings: readonly [() => Promise<void>, ...(() => Promise<void>)[]] = [
    () => control(run, 'PUT', '/clock', { advanceSeconds: chance.pick([1, 60, 3600, 86_400, 30 * 86_400]) }),
    () => control(run, 'PUT', '/clock', { advanceSeconds: chance.below(100_000) }),
    () =>
      control(run, 'POST', '/events', {
        groupId: projectId,
        eventTypeName: chance.pick(['HOST_DOWN', 'DEPLOYMENT_FAILURE', 'OUTSIDE_METRIC_THRESHOLD']),
        clusterName: 'orders-eu',
        active: chance.percent(70),
      }),
    () =>
      control(run, 'PUT', '/transitions', {
        '*': chance.pick([{ mode: 'described' }, { mode: 'immediate' }, { mode: 'reads', reads: 2 }]),
      }),
  ]
  await chance.pick(happenings)()
}

async function send(run: Run): Promise<void> {
  const request = generateRequest(run)
  const headers = { ...request.headers, ...credentials(run, request) }
  const { method } = request
  const target = targetOf(request)
  const body =
    request.body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body: request.body }
  const response = await fetch(run.server.url + target, { method, headers, ...body })
  const text = await response.text()
  const answer = {
    method,
    target,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text,
  }
  const found = violationsOf(answer)
  if (response.status >= 500) found.push(`${response.status}: ${text.slice(0, 200)}`)
  if (found.length > 0)
    run.faults.push(`${found.join('; ').slice(0, 500)} after ${JSON.stringify(request).slice(0, 1500)}`)
  count(run, request, response.status, text)
}

async function renewNonce(run: Run): Promise<void> {
  const { nonces, clock } = run.server.world
  run.nonce = { value: nonces.issue(await clock.now()), count: 0 }
}

/** Removes dot segments from the path of a request target, as a client would. */
function targetOf({ target }: GeneratedRequest): string {
  const { pathname, search } = new URL(target, 'http://localhost')
  return pathname + search
}

function credentials(run: Run, request: GeneratedRequest): Record<string, string> {
  const { as, method } = request
  if (as === undefined) return {}
  run.nonce.count += 1
  const { value: nonce, count } = run.nonce
  const secret = demoSecrets.get(as) ?? ''
  const parts = { username: as, secret, nonce, method, uri: targetOf(request), count }
  return { authorization: digestHeader(parts) }
}

function count(run: Run, { name }: GeneratedRequest, status: number, text: string): void {
  run.statuses[status] = (run.statuses[status] ?? 0) + 1
  if (status < 300) run.succeeded.add(name)
  const code = /"errorCode":"(\w+)"/.exec(text)?.[1]
  if (code !== undefined) run.codes.add(code)
  if (status === 200 || status === 201) {
    run.identifiers.push(...identifiersIn(text).slice(0, 3))
    run.identifiers.splice(0, Math.max(0, run.identifiers.length - identifierLimit))
  }
}
