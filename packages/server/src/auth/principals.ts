import { type AccessList, createAccessList } from '../domain/access-list.ts'
import type { Grant } from '../domain/roles.ts'
import { createCachedLookup } from '../persistence/cached-lookup.ts'
import { type CredentialDocument, credentials } from '../persistence/credentials.ts'
import type { Session } from '../persistence/database.ts'
import type { Eventually } from '../persistence/dialects/dialect.ts'

/** An authenticated caller: an API key or a service account. */
export interface Principal {
  readonly kind: 'api-key' | 'service-account'
  /** The public key of an API key, or the client ID of a service account. */
  readonly id: string
  readonly grants: readonly Grant[]
  readonly accessList: AccessList
  /** The stored hash: HA1 for an API key, or the secret's SHA-256 for a service account. */
  readonly secretHash: string
}

export interface TokenHolder {
  readonly principal: Principal
  readonly expiresAt: number
}

/** Finds principals by their credentials. */
export interface Principals {
  apiKey(publicKey: string): Eventually<Principal | undefined>
  serviceAccount(clientId: string): Eventually<Principal | undefined>
  token(hash: string): Eventually<TokenHolder | undefined>
  /** Clears the cache. Call this method whenever credentials change. */
  clear(): void
}

/** Creates a lookup for principals. Enable the cache only if no other process can change the database. */
export function createPrincipals(session: Session, useCache: boolean): Principals {
  const keys = createCachedLookup(useCache, async (publicKey) => {
    const found = await credentials.apiKey(session, publicKey)
    return found && principal('api-key', publicKey, found.ha1, found)
  })
  const accounts = createCachedLookup(useCache, async (clientId) => {
    const found = await credentials.serviceAccount(session, clientId)
    return found && principal('service-account', clientId, found.secretHash, found)
  })
  const tokens = createCachedLookup(useCache, async (hash): Promise<TokenHolder | undefined> => {
    const found = await credentials.token(session, hash)
    const holder = found && (await accounts.get(found.clientId))
    return found && holder && { principal: holder, expiresAt: found.expiresAt }
  })
  return {
    apiKey: keys.get,
    serviceAccount: accounts.get,
    token: tokens.get,
    clear: () => {
      for (const lookup of [keys, accounts, tokens]) lookup.clear()
    },
  }
}

function principal(
  kind: Principal['kind'],
  id: string,
  secretHash: string,
  { roles, accessList }: CredentialDocument,
): Principal {
  return { kind, id, secretHash, grants: roles, accessList: createAccessList(accessList) }
}
