import type { Grant } from '../domain/roles.ts'
import type { Session, Transaction } from './database.ts'
import { type Slots, statement, unplanned } from './statement.ts'

/** The fields shared by API keys and service accounts. */
export interface CredentialDocument {
  readonly label: string
  readonly roles: readonly Grant[]
  readonly accessList: readonly string[]
}

export interface ApiKey extends CredentialDocument {
  readonly publicKey: string
  /** The MD5 hash of the name, realm and secret (RFC 7616 §3.4.2). The secret itself is never stored. */
  readonly ha1: string
}

export interface ServiceAccount extends CredentialDocument {
  readonly clientId: string
  /** The SHA-256 hash of the secret in hexadecimal. */
  readonly secretHash: string
}

export interface StoredToken {
  readonly clientId: string
  readonly expiresAt: number
}

const apiKey = statement((db, $: Slots<{ publicKey: string }>) =>
  db.selectFrom('api_keys').select(['ha1', 'document']).where('public_key', '=', $('publicKey')),
)
const putApiKey = statement((db, $: Slots<{ publicKey: string; ha1: string; document: string }>) => {
  const changing = { ha1: $('ha1'), document: $('document') }
  return db
    .insertInto('api_keys')
    .values({ public_key: $('publicKey'), ...changing })
    .onConflict((conflict) => conflict.column('public_key').doUpdateSet(changing))
})
const serviceAccount = statement((db, $: Slots<{ clientId: string }>) =>
  db
    .selectFrom('service_accounts')
    .select(['secret_hash as secretHash', 'document'])
    .where('client_id', '=', $('clientId')),
)
const putServiceAccount = statement(
  (db, $: Slots<{ clientId: string; secretHash: string; document: string }>) => {
    const changing = { secret_hash: $('secretHash'), document: $('document') }
    return db
      .insertInto('service_accounts')
      .values({ client_id: $('clientId'), ...changing })
      .onConflict((conflict) => conflict.column('client_id').doUpdateSet(changing))
  },
)
const token = statement((db, $: Slots<{ hash: string }>) =>
  db
    .selectFrom('tokens')
    .select(['client_id as clientId', 'expires_at as expiresAt'])
    .where('hash', '=', $('hash')),
)
const insertToken = statement((db, $: Slots<{ hash: string; clientId: string; expiresAt: number }>) =>
  db.insertInto('tokens').values({ hash: $('hash'), client_id: $('clientId'), expires_at: $('expiresAt') }),
)
const dropTokens = statement((db, $: Slots<{ now: number }>) =>
  db.deleteFrom('tokens').where('expires_at', '<=', $('now')),
)

/** This statement doesn't need an index, because secrets are rarely replaced. */
const revokeTokens = unplanned((db, $: Slots<{ clientId: string }>) =>
  db.deleteFrom('tokens').where('client_id', '=', $('clientId')),
)

/** Reads and writes API keys, service accounts and their tokens. The tables contain hashes instead of secrets. */
export const credentials = {
  async apiKey(session: Session, publicKey: string): Promise<ApiKey | undefined> {
    const row = await session.one(apiKey, { publicKey })
    return row && { publicKey, ha1: row.ha1, ...parse(row.document) }
  },

  async putApiKey(session: Session, { publicKey, ha1, ...rest }: ApiKey): Promise<void> {
    await session.all(putApiKey, { publicKey, ha1, document: JSON.stringify(rest) })
  },

  async serviceAccount(session: Session, clientId: string): Promise<ServiceAccount | undefined> {
    const row = await session.one(serviceAccount, { clientId })
    return row && { clientId, secretHash: row.secretHash, ...parse(row.document) }
  },

  /**
   * Creates or replaces a service account. If the secret changes, revokes all tokens that were issued for the previous
   * secret.
   */
  async putServiceAccount(session: Transaction, account: ServiceAccount): Promise<void> {
    const { clientId, secretHash, ...rest } = account
    const before = await session.one(serviceAccount, { clientId })
    if (before && before.secretHash !== secretHash) await session.all(revokeTokens, { clientId })
    await session.all(putServiceAccount, { clientId, secretHash, document: JSON.stringify(rest) })
  },

  token: (session: Session, hash: string): Promise<StoredToken | undefined> => session.one(token, { hash }),

  /** Stores a token and deletes all expired tokens. */
  async insertToken(session: Session, hash: string, kept: StoredToken, now: number): Promise<void> {
    await session.all(dropTokens, { now })
    await session.all(insertToken, { hash, ...kept })
  },
}

const parse = (document: string): CredentialDocument => JSON.parse(document)
