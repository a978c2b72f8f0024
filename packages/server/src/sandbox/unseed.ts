import type { Transaction } from '../persistence/database.ts'
import { removal } from '../persistence/removal.ts'
import { clearTenantCaches, type World } from '../world/world.ts'
import { ControlInputError, type Fields, fieldsOf, list, text } from './fields.ts'

type Remover = (transaction: Transaction, fields: Fields) => Promise<void>

/** How members of a seed's collections are taken away; whatever else a seed has stands in one of these. */
const removers: Readonly<Record<string, Remover>> = {
  clusters: (transaction, fields) =>
    removal.cluster(transaction, text(fields, 'groupId'), text(fields, 'name')),
  projects: (transaction, fields) => removal.project(transaction, text(fields, 'id')),
  organizations: (transaction, fields) => removal.organization(transaction, text(fields, 'id')),
  apiKeys: (transaction, fields) => removal.apiKey(transaction, text(fields, 'publicKey')),
  serviceAccounts: (transaction, fields) => removal.serviceAccount(transaction, text(fields, 'clientId')),
}

/**
 * Takes away what a seed put in place: organizations and projects with everything in them, clusters with everything
 * of theirs, credentials.
 *
 * @throws {ControlInputError} for a collection or a member that does not fit; nothing is removed then.
 */
export async function unseed(world: World, content: unknown): Promise<void> {
  const collections = fieldsOf(content, 'The body')
  const unknown = Object.keys(collections).find((name) => !Object.hasOwn(removers, name))
  if (unknown !== undefined)
    throw new ControlInputError(`The collection '${unknown}' does not support removal`)
  await world.database.transaction(async (transaction) => {
    for (const [name, remove] of Object.entries(removers)) {
      for (const item of list(collections, name))
        await remove(transaction, fieldsOf(item, `A member of '${name}'`))
    }
  })
  clearTenantCaches(world)
}
