import { createClient, createLog, createTracer, type PlatformFetch } from '@svc-admin/client'
import createOpenapiFetch from 'openapi-fetch'
import type { PathsByVersion } from '#paths'
import type { Contender } from './overhead.ts'
import type { Peers } from './peers.ts'

const baseUrl = 'https://cloud.example.com'
const path = { groupId: '64b7e1c20f3a5d6e7f809101', alertId: '67a1b2c30f3a5d6e7f80a001' }
const body = JSON.stringify({
  id: path.alertId,
  groupId: path.groupId,
  alertConfigId: '66c4d5e60f3a5d6e7f809a01',
  eventTypeName: 'DEPLOYMENT_FAILURE',
  status: 'OPEN',
  created: '2025-11-18T09:24:51Z',
  updated: '2025-11-18T09:24:51Z',
  x: '',
}).slice(0, 228 - 2)
const init = { headers: { 'content-type': 'application/vnd.svc.2023-01-01+json' } }
const jsonInit = { headers: { 'content-type': 'application/json' } }
const text = `${body.slice(0, body.lastIndexOf(','))}}`.padEnd(228)

const stub = async () => new Response(text, init)
const jsonStub = async () => new Response(text, jsonInit)

/**
 * Reads the same response through each client. The first contender, plain `fetch` with JSON, is the baseline for the
 * other contenders.
 */
export async function overheadContenders(peers: Peers | undefined): Promise<Contender[]> {
  const options = { baseUrl, version: '2024-05-30', fetch: stub } as const
  const plain = createClient(options)
  const bearer = createClient({ ...options, credentials: { accessToken: 'token' } })
  const openapi = createOpenapiFetch<PathsByVersion['2024-05-30']>({ baseUrl, fetch: stub })
  const ours: Contender[] = [
    { name: 'bare fetch and JSON', call: async () => (await stub()).json() },
    { name: 'ours', call: () => plain.getAlert(path) },
    { name: 'ours, with a token', call: () => bearer.getAlert(path) },
    ...observedContenders(options),
    {
      name: 'openapi-fetch',
      call: () => openapi.GET('/groups/{groupId}/alerts/{alertId}', { params: { path } }),
    },
  ]
  return peers ? [...ours, ...(await peerContenders(peers))] : ours
}

/**
 * Creates four clients: one with a tracer, one with a log, one with Digest authentication, and one with all three.
 * Spans and log lines are discarded.
 */
function observedContenders(options: {
  baseUrl: string
  version: '2024-05-30'
  fetch: PlatformFetch
}): Contender[] {
  const span = {
    setAttribute: () => span,
    addEvent: () => span,
    setStatus: () => span,
    end: () => undefined,
    spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
  }
  const traced = { observer: createTracer({ startSpan: () => span }) }
  const logged = { middleware: [createLog({ logger: { debug: () => undefined, warn: () => undefined } })] }
  const digest = (algorithm: string) => ({
    credentials: { publicKey: 'abcdefgh', privateKey: 'b2c7e6f8-not-a-real-key' },
    fetch: challengeFirst(algorithm),
  })
  const variants = {
    'with a tracer': traced,
    'with a log': logged,
    'with Digest MD5': digest('MD5'),
    'with Digest SHA-256': digest('SHA-256'),
    'with a tracer, a log and Digest MD5': { ...traced, ...logged, ...digest('MD5') },
  }
  return Object.entries(variants).map(([name, added]) => {
    const client = createClient({ ...options, ...added })
    return { name: `ours, ${name}`, call: () => client.getAlert(path) }
  })
}

/** Sends a challenge in response to requests without credentials, and accepts all other requests. */
function challengeFirst(algorithm: string): PlatformFetch {
  const challenge = `Digest realm="svc", qop="auth", nonce="bm9uY2U", opaque="o", algorithm=${algorithm}`
  const challenged = { status: 401, headers: { 'www-authenticate': challenge } }
  // This function isn't async, because an additional promise would add to the measured time.
  return (_, { headers }) =>
    headers && 'authorization' in headers ? stub() : Promise.resolve(new Response('{}', challenged))
}

/** Reads a page of 100 alerts (about 20 kB) through plain `fetch` and through the client. */
export function pageContenders(): Contender[] {
  const page = JSON.stringify({ links: [], results: Array(100).fill(JSON.parse(text)), totalCount: 100 })
  const fetch = async () => new Response(page, init)
  const client = createClient({ baseUrl, version: '2024-05-30', fetch })
  return [
    { name: 'bare fetch and JSON', call: async () => (await fetch()).json() },
    { name: 'ours', call: () => client.listAlerts({ groupId: path.groupId }) },
  ]
}

type Caller = (path: string) => Promise<unknown>

async function peerContenders({ load }: Peers): Promise<Contender[]> {
  const hey = (await load('@hey-api/client-fetch')) as {
    createClient(options: object): { get(options: object): Promise<unknown> }
  }
  const octokit = (await load('@octokit/core')) as { Octokit: new (options: object) => { request: Caller } }
  const { default: Stripe } = (await load('stripe')) as {
    default: { createFetchHttpClient(fetch: typeof jsonStub): object } & (new (
      key: string,
      options: object,
    ) => { customers: { retrieve: Caller } })
  }
  const { default: OpenAi } = (await load('openai')) as {
    default: new (options: object) => { models: { retrieve: Caller } }
  }
  const heyClient = hey.createClient({ baseUrl, fetch: jsonStub })
  const octokitClient = new octokit.Octokit({ baseUrl, request: { fetch: jsonStub } })
  const stripe = new Stripe('sk_test_x', {
    httpClient: Stripe.createFetchHttpClient(jsonStub),
    telemetry: false,
  })
  const openAi = new OpenAi({ apiKey: 'x', fetch: jsonStub })
  return [
    {
      name: '@hey-api/client-fetch',
      call: () => heyClient.get({ url: '/groups/{groupId}/alerts/{alertId}', path }),
    },
    { name: '@octokit/core', call: () => octokitClient.request('GET /groups/a/alerts/b') },
    { name: 'stripe', call: () => stripe.customers.retrieve('cus_1') },
    { name: 'openai', call: () => openAi.models.retrieve('m') },
  ]
}
