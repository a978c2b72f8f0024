import type { Transaction } from '../persistence/database.ts'
import { removal } from '../persistence/removal.ts'
import { clearTenantCaches, type World } from '../world/world.ts'
import { ControlInputError, type Fields, fieldsOf, list, text } from './fields.ts'

type Remover = (transaction: Transaction, fields: Fields) => Promise<void>

/**
 * The functions that remove items from each collection. Items in other collections are removed along with the items
 * that they belong to.
 */
const removers: Readonly<Record<string, Remover>> = {
  clusters: (transaction, fields) =>
    removal.cluster(transaction, text(fields, 'groupId'), text(fields, 'name')),
  projects: (transaction, fields) => removal.project(transaction, text(fields, 'id')),
  organizations: (transaction, fields) => removal.organization(transaction, text(fields, 'id')),
  apiKeys: (transaction, fields) => removal.apiKey(transaction, text(fields, 'publicKey')),
  serviceAccounts: (transaction, fields) => removal.serviceAccount(transaction, text(fields, 'clientId')),
}

/**
 * Removes seeded credentials, organizations, projects and clusters, including everything in them.
 *
 * @throws {ControlInputError} if a collection or field is invalid. If any collection or field is invalid, nothing is
 *   removed.
 */
export async function unseed(world: World, content: unknown): Promise<void> {
  const collections = fieldsOf(content, 'The body')
  const unknown = Object.keys(collections).find((name) => !Object.hasOwn(removers, name))
  if (unknown !== undefined)
    throw new ControlInputError(`The collection '${unknown}' does not support removal`)
  await world.database.transaction(async (transaction) => {
    for (const [name, remove] of Object.entries(removers)) {
      for (const item of list(collections, name))
        await remove(transaction, fieldsOf(item, `An item of '${name}'`))
    }
  })
  clearTenantCaches(world)
}
