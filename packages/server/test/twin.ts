import { type Demo, type Json, loadDemo } from '@svc-admin/spec'

/** Converts the IDs in a text. The demo's IDs start with 6, but its twin's IDs don't. */
const toTwin = (text: string): string => text.replace(/\b6([0-9a-f]{23})\b/g, 'e$1')

/** Converts a value from the demo to the value in its twin, which has the same names but different IDs. */
export function twinOf<T extends Json>(value: T): T {
  return JSON.parse(toTwin(JSON.stringify(value)))
}

/** The API key of the twin's owner, who has no role in the demo itself. */
export const twinOwner = 'norolekk'

/**
 * Returns a second tenant with a copy of the demo. Clusters, databases and collections have the same names
 * but different IDs, so that tests detect code that confuses tenants.
 */
export function twinOfDemo(): Demo {
  const { apiKeys = [], serviceAccounts: _accounts, ...resources } = loadDemo()
  const roles = [{ role: 'ORGANIZATION_OWNER', orgId: toTwin('64b7e0a10f3a5d6e7f809001') }]
  const owner = apiKeys.filter(({ publicKey }) => publicKey === twinOwner).map((key) => ({ ...key, roles }))
  return { ...JSON.parse(toTwin(JSON.stringify(resources))), apiKeys: owner }
}

/** Returns the IDs in a value, in order. */
export const identifiersIn = (value: unknown): string[] =>
  JSON.stringify(value ?? null).match(/\b[6e][0-9a-f]{23}\b/g) ?? []
