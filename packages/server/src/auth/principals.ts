import { type AccessList, createAccessList } from '../domain/access-list.ts'
import type { Grant } from '../domain/roles.ts'
import { type CredentialDocument, credentials } from '../persistence/credentials.ts'
import type { Session } from '../persistence/database.ts'

/** Who calls: an API key or a service account. */
export interface Principal {
  readonly kind: 'api-key' | 'service-account'
  /** Public key or client id. */
  readonly id: string
  readonly grants: readonly Grant[]
  readonly accessList: AccessList
  /** What is kept of the secret: HA1 of a key, SHA-256 of a service account's. */
  readonly kept: string
}

export interface TokenHolder {
  readonly principal: Principal
  readonly expiresAt: number
}

/** Finds who credentials belong to. */
export interface Principals {
  apiKey(publicKey: string): Promise<Principal | undefined>
  serviceAccount(clientId: string): Promise<Principal | undefined>
  token(hash: string): Promise<TokenHolder | undefined>
  /** Called when credentials change. */
  forget(): void
}

/** More callers than any server of this kind has; beyond it the oldest are looked up again. */
const cacheLimit = 10_000

/** Builds the look-up; it remembers what it found only if nobody else can change the database. */
export function createPrincipals(session: Session, remembers: boolean): Principals {
  const keys = createCache<Principal>(remembers)
  const accounts = createCache<Principal>(remembers)
  const tokens = createCache<TokenHolder>(remembers)
  const serviceAccount = (clientId: string) =>
    accounts.get(clientId, async () => {
      const found = await credentials.serviceAccount(session, clientId)
      return found && principal('service-account', clientId, found.secretHash, found)
    })
  return {
    apiKey: (publicKey) =>
      keys.get(publicKey, async () => {
        const found = await credentials.apiKey(session, publicKey)
        return found && principal('api-key', publicKey, found.ha1, found)
      }),
    serviceAccount,
    token: (hash) =>
      tokens.get(hash, async () => {
        const found = await credentials.token(session, hash)
        const holder = found && (await serviceAccount(found.clientId))
        return found && holder && { principal: holder, expiresAt: found.expiresAt }
      }),
    forget: () => {
      for (const cache of [keys, accounts, tokens]) cache.clear()
    },
  }
}

function principal(
  kind: Principal['kind'],
  id: string,
  kept: string,
  { roles, accessList }: CredentialDocument,
): Principal {
  return { kind, id, kept, grants: roles, accessList: createAccessList(accessList) }
}

function createCache<T>(remembers: boolean) {
  const found = new Map<string, T>()
  return {
    clear: () => found.clear(),
    get: async (key: string, find: () => Promise<T | undefined>): Promise<T | undefined> => {
      const known = found.get(key)
      if (known) return known
      const value = await find()
      if (value === undefined || !remembers) return value
      const oldest = found.size >= cacheLimit ? found.keys().next().value : undefined
      if (oldest !== undefined) found.delete(oldest)
      found.set(key, value)
      return value
    },
  }
}
