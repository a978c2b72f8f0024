import { createHash, randomBytes } from 'node:crypto'
import { loadDemo, loadDocument } from '@svc-admin/spec'
import { limits, versions } from '@svc-admin/types'
import type { Load, Sent } from './load.ts'
import type { Started } from './processes.ts'

const demo = loadDemo()
const newest = newestVersion()
export const groupId = String(demo.projects?.[0]?.id)
const owner = <T extends { label?: unknown }>(rows: readonly T[] | undefined): T | undefined =>
  rows?.find(({ label }) => label === 'Project owner')

export interface Scenario {
  readonly name: string
  /** Minimum for `ratio`, the CPU time of bare `node:http` divided by the CPU time of the reference server. */
  readonly wanted?: number
  /** Whether to also measure the minimum cost of storing a resource durably. */
  readonly keeps?: true
  readonly load: (server: Started, secrets: Secrets) => Load
}

export interface Secrets {
  readonly token: string
  readonly digest: (method: string, path: string) => string
}

const paths = {
  one: `/groups/${groupId}/alerts/${String(demo.alerts?.[0]?.id)}`,
  list: `/groups/${groupId}/alertConfigs?itemsPerPage=${limits.itemsPerPage.default}`,
  create: `/groups/${groupId}/alertConfigs`,
}
const prefix = newest.prefix
const bodyOfCreate = (): string => {
  const operation = loadDocument(newest.id).paths['/groups/{groupId}/alertConfigs']?.post
  const content = Object.values(operation?.requestBody?.content ?? {})[0]
  const [example] = Object.values(content?.examples ?? {})
  return JSON.stringify(example?.value)
}

const as = (authorization: string, more: Record<string, string> = {}): Record<string, string> => ({
  Accept: newest.mediaType,
  Authorization: authorization,
  ...more,
})

const reading =
  (path: string, authorize: (secrets: Secrets, path: string) => string) =>
  (server: Started, secrets: Secrets): Load => ({
    url: server.url,
    pid: server.pid,
    expected: 200,
    next: (): Sent => ({
      method: 'GET',
      path: prefix + path,
      headers: as(authorize(secrets, prefix + path)),
    }),
  })

const bearer = ({ token }: Secrets) => `Bearer ${token}`

function creating(server: Started, secrets: Secrets): Load {
  const body = bodyOfCreate()
  const headers = as(bearer(secrets), { 'Content-Type': newest.mediaType })
  const sent = { method: 'POST', path: prefix + paths.create, headers, body }
  return { url: server.url, pid: server.pid, expected: 200, next: () => sent }
}

export const scenarios: readonly Scenario[] = [
  { name: 'get one, bearer', wanted: 0.45, load: reading(paths.one, bearer) },
  {
    name: 'get one, Digest',
    wanted: 0.35,
    load: reading(paths.one, ({ digest }, path) => digest('GET', path)),
  },
  { name: 'list of 100', wanted: 0.5, load: reading(paths.list, bearer) },
  {
    name: 'list of 100 and create, by turns',
    load: (server, secrets) => {
      const lists = reading(paths.list, bearer)(server, secrets)
      const creates = creating(server, secrets)
      let turn = 0
      return {
        ...lists,
        different: 2,
        next: () => {
          turn += 1
          return (turn % 2 === 0 ? creates : lists).next()
        },
      }
    },
  },
  { name: 'validated, durable create', wanted: 0.28, keeps: true, load: creating },
]

/**
 * Signs in and returns a token and a function that creates Digest headers. The function reuses the same nonce, as a
 * well-behaved client would.
 */
export async function signIn({ url }: Started): Promise<Secrets> {
  const account = owner(demo.serviceAccounts)
  const basic = Buffer.from(`${account?.clientId}:${account?.clientSecret}`).toString('base64')
  const response = await fetch(`${url}/api/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  const key = owner(demo.apiKeys)
  const challenge = await fetch(`${url}${prefix}${paths.one}`, { headers: { Accept: newest.mediaType } })
  const offered = challenge.headers.get('www-authenticate') ?? ''
  return { token, digest: digestOf(offered, String(key?.publicKey), String(key?.privateKey)) }
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

function digestOf(challenge: string, user: string, password: string): Secrets['digest'] {
  const field = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1] ?? ''
  const [realm, nonce, opaque] = [field('realm'), field('nonce'), field('opaque')]
  const first = md5(`${user}:${realm}:${password}`)
  const cnonce = randomBytes(8).toString('hex')
  let count = 0
  return (method, path) => {
    count += 1
    const nc = count.toString(16).padStart(8, '0')
    const response = md5(`${first}:${nonce}:${nc}:${cnonce}:auth:${md5(`${method}:${path}`)}`)
    const known = `username="${user}", realm="${realm}", nonce="${nonce}", uri="${path}", algorithm=MD5`
    return `Digest ${known}, qop=auth, nc=${nc}, cnonce="${cnonce}", response="${response}", opaque="${opaque}"`
  }
}

function newestVersion(): (typeof versions)[number] {
  const version = versions.at(-1)
  if (version === undefined) throw new Error('The server has no versions')
  return version
}
