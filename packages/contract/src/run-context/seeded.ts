import { isObject, type Json, type JsonObject, listAt, stringAt } from '../document/json.ts'

/**
 * For each collection with resources that the sandbox can remove, the fields that identify a resource.
 * Resources in other collections belong to a resource in these collections.
 */
const keys: Readonly<Record<string, readonly string[]>> = {
  organizations: ['id'],
  projects: ['id'],
  clusters: ['groupId', 'name'],
  apiKeys: ['publicKey'],
  serviceAccounts: ['clientId'],
}

/** The parent of each collection. Removing a parent also removes its children. */
const within: Readonly<Record<string, { readonly collection: string; readonly field: string }>> = {
  projects: { collection: 'organizations', field: 'orgId' },
  clusters: { collection: 'projects', field: 'groupId' },
}

/** What a run has seeded in a sandbox and must still remove. */
export interface Seeded {
  /** Adds seeded resources. Returns the added resources that aren't removed together with a parent. */
  add(content: JsonObject): JsonObject
  /** Returns the resources that must be removed, or `undefined` if there are none. */
  left(): JsonObject | undefined
  clear(): void
}

const picked = (row: Json, fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.map((field) => [field, stringAt(row, field) ?? '']))

export const createSeeded = (): Seeded => {
  const known = new Map(Object.keys(keys).map((collection) => [collection, new Set<string>()]))
  const left = new Map<string, Map<string, JsonObject>>()
  const standsInOther = (collection: string, row: Json): boolean => {
    const outer = within[collection]
    return outer !== undefined && known.get(outer.collection)?.has(stringAt(row, outer.field) ?? '') === true
  }
  return {
    add(content) {
      const added: Record<string, JsonObject[]> = {}
      for (const [collection, fields] of Object.entries(keys))
        for (const row of listAt(content, collection)) {
          if (!isObject(row)) continue
          known.get(collection)?.add(stringAt(row, fields.at(-1) ?? '') ?? '')
          if (standsInOther(collection, row)) continue
          const key = picked(row, fields)
          const own = left.get(collection) ?? new Map<string, JsonObject>()
          left.set(collection, own)
          if (own.has(JSON.stringify(key))) continue
          own.set(JSON.stringify(key), key)
          added[collection] = [...(added[collection] ?? []), key]
        }
      return added
    },
    left() {
      if (left.size === 0) return undefined
      return Object.fromEntries([...left].map(([collection, rows]) => [collection, [...rows.values()]]))
    },
    clear: () => left.clear(),
  }
}
