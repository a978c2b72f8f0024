import { type Demo, type Json, loadDemo } from '@svc-admin/spec'

/** Identifiers of the demo start with 6, identifiers of its twin don't. */
const toTwin = (text: string): string => text.replace(/\b6([0-9a-f]{23})\b/g, 'e$1')

/** Converts a value of the demo to its twin: the same names with other identifiers. */
export function twinOf<T extends Json>(value: T): T {
  return JSON.parse(toTwin(JSON.stringify(value)))
}

/** The owner of the twin of the demo's first organization, who has no role in the demo itself. */
export const twinOwner = 'norolekk'

/**
 * A second tenant with a copy of the demo: the same names of clusters, databases and collections, but other
 * identifiers. It reveals code that confuses tenants.
 */
export function twinOfDemo(): Demo {
  const { apiKeys = [], serviceAccounts: _accounts, ...resources } = loadDemo()
  const roles = [{ role: 'ORGANIZATION_OWNER', orgId: toTwin('64b7e0a10f3a5d6e7f809001') }]
  const owner = apiKeys.filter(({ publicKey }) => publicKey === twinOwner).map((key) => ({ ...key, roles }))
  return { ...JSON.parse(toTwin(JSON.stringify(resources))), apiKeys: owner }
}

/** Identifiers within a value, in order. */
export const identifiersIn = (value: unknown): string[] =>
  JSON.stringify(value ?? null).match(/\b[6e][0-9a-f]{23}\b/g) ?? []
