import { isObject, type Json, type JsonObject, listAt, stringAt } from '../src/document/json.ts'
import { type ApiKey, basicAuthorization } from '../src/http/authorization.ts'
import { parseChallenges } from '../src/http/challenge.ts'
import { digestResponse } from '../src/http/digest.ts'
import { demoTarget } from '../src/target/demo.ts'
import type { Holder } from '../src/target/target.ts'
import { type CredentialDefect, requestHeader } from './mutant.ts'
import type { ProxiedRequest } from './proxy.ts'

const demo = demoTarget({ baseUrl: 'http://127.0.0.1' })

/** All callers that have credentials in the demo organization, named after their role or purpose. */
const holders: readonly (readonly [name: string, holder: Holder])[] = [
  ...Object.entries(demo.roles),
  ...Object.entries(demo.others ?? {}),
]

/** Maps each token that has passed through the proxy to the ID of the client that requested it. */
const tokens = new Map<string, string>()

export const noteToken = (token: string, clientId: string): void => {
  tokens.set(token, clientId)
}

/** The API keys (by public key) and clusters (by name) that the kit has seeded. */
const placed = {
  keys: new Map<string, { readonly key: ApiKey; readonly role: string | undefined }>(),
  clusters: new Map<string, JsonObject>(),
}

export const noteSeed = (content: Json | undefined): void => {
  if (!isObject(content)) return
  for (const row of listAt(content, 'apiKeys')) {
    const [publicKey, privateKey] = [stringAt(row, 'publicKey'), stringAt(row, 'privateKey')]
    if (!isObject(row) || publicKey === undefined || privateKey === undefined) continue
    const role = stringAt(listAt(row, 'roles')[0], 'role')
    placed.keys.set(publicKey, { key: { publicKey, privateKey }, role })
  }
  for (const row of listAt(content, 'clusters')) {
    const name = stringAt(row, 'name')
    if (isObject(row) && name !== undefined) placed.clusters.set(name, row)
  }
}

/** Returns the cluster in a request's path, if the kit has seeded that cluster. */
export const clusterOfRequest = ({ path }: ProxiedRequest): JsonObject | undefined =>
  path
    .split(/[/?]/)
    .map((segment) => placed.clusters.get(decodeURIComponent(segment)))
    .find((cluster) => cluster !== undefined)

const keyNamed = (publicKey: string | undefined): ApiKey | undefined =>
  placed.keys.get(publicKey ?? '')?.key ??
  holders.map(([, { apiKey }]) => apiKey).find((key) => key?.publicKey === publicKey)

const nameOfClient = (clientId: string | undefined): string | undefined =>
  holders.find(([, { serviceAccount }]) => serviceAccount?.clientId === clientId)?.[0]

const digestParameters = (authorization: string): Readonly<Record<string, string>> =>
  parseChallenges(authorization)[0]?.parameters ?? {}

/** Returns who sent a request: a role's name, `noRole`, `otherProject` or `restricted`. */
export const holderOfRequest = (request: ProxiedRequest): string | undefined => {
  const authorization = requestHeader(request, 'Authorization') ?? ''
  const [scheme = '', value = ''] = authorization.split(' ')
  if (scheme.toLowerCase() === 'bearer') return nameOfClient(tokens.get(value))
  if (scheme.toLowerCase() === 'digest') {
    const { username } = digestParameters(authorization)
    // Look for the demo organization's own credentials first.
    // If the kit has seeded the demo organization, `placed` also contains these keys, but identifies them only by role.
    return (
      holders.find(([, { apiKey }]) => apiKey?.publicKey === username)?.[0] ??
      placed.keys.get(username ?? '')?.role
    )
  }
  return holders.find(
    ([, { serviceAccount }]) => serviceAccount && basicAuthorization(serviceAccount) === authorization,
  )?.[0]
}

/** Returns the API key that signed a request, if the key exists. */
export const keyOfRequest = (request: ProxiedRequest): ApiKey | undefined => {
  const authorization = requestHeader(request, 'Authorization') ?? ''
  if (!/^digest /i.test(authorization)) return undefined
  return keyNamed(digestParameters(authorization).username)
}

/** The nonces that the server has issued, with the number of times that each nonce count was used. */
export interface NonceRecord {
  readonly issued: Set<string>
  readonly used: Map<string, number>
}

export const countKey = (authorization: string): string => {
  const { nonce = '', nc = '' } = digestParameters(authorization)
  return `${nonce}:${nc}`
}

/**
 * Returns what is wrong with a request's credentials. The proxy knows all secrets, so it can verify credentials itself.
 */
export const faultOf = (request: ProxiedRequest, nonces: NonceRecord): CredentialDefect => {
  const authorization = requestHeader(request, 'Authorization')
  if (authorization === undefined) return 'missing'
  const scheme = authorization.split(' ')[0]?.toLowerCase()
  if (scheme === 'bearer') return tokens.has(authorization.slice('bearer '.length)) ? 'fine' : 'bearer'
  const given = digestParameters(authorization)
  if (scheme !== 'digest' || given.response === undefined) return 'other scheme'
  const key = keyNamed(given.username)
  if (key === undefined) return 'unknown key'
  const { nonce = '', realm = '', uri = '', cnonce = '', nc = '0' } = given
  if (!nonces.issued.has(nonce)) return 'forged nonce'
  const count = Number.parseInt(nc, 16)
  const base = { username: key.publicKey, password: key.privateKey, realm, nonce, uri, cnonce, count }
  const fits = (method: string): boolean => digestResponse({ ...base, method }) === given.response
  if (uri !== request.path) return 'uri'
  if (fits('TRACE')) return 'method'
  if (!fits(request.method)) return 'password'
  return (nonces.used.get(countKey(authorization)) ?? 0) > 1 ? 'repeated count' : 'fine'
}
