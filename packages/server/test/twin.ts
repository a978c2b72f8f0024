import { type Demo, type Json, loadDemo } from '@svc-admin/spec'

/** Converts the IDs in a text. The demo's IDs start with 6, and the converted IDs start with a different digit. */
const toTwin = (text: string): string => text.replace(/\b6([0-9a-f]{23})\b/g, 'e$1')

/**
 * Converts a value from the demo to the corresponding value in the twin, which is a copy with the same names and
 * different IDs.
 */
export function twinOf<T extends Json>(value: T): T {
  return JSON.parse(toTwin(JSON.stringify(value)))
}

/** The API key of the twin's owner. The twin's owner has no role in the original demo. */
export const twinOwner = 'norolekk'

/**
 * Creates a second tenant as a copy of the demo. Clusters, databases and collections have the same names in both
 * tenants but different IDs. The copy helps tests detect code that confuses the two tenants.
 */
export function twinOfDemo(): Demo {
  const { apiKeys = [], serviceAccounts: _accounts, ...resources } = loadDemo()
  const roles = [{ role: 'ORGANIZATION_OWNER', orgId: toTwin('64b7e0a10f3a5d6e7f809001') }]
  const owner = apiKeys.filter(({ publicKey }) => publicKey === twinOwner).map((key) => ({ ...key, roles }))
  return { ...JSON.parse(toTwin(JSON.stringify(resources))), apiKeys: owner }
}

/** Returns all IDs in a value, in the order in which they occur. */
export const identifiersIn = (value: unknown): string[] =>
  JSON.stringify(value ?? null).match(/\b[6e][0-9a-f]{23}\b/g) ?? []
