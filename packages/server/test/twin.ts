import { type Demo, type Json, loadDemo } from '@svc-admin/spec'

/** Identifiers of the demo begin with 6; those of its twin do not. */
const toTwin = (text: string): string => text.replace(/\b6([0-9a-f]{23})\b/g, 'e$1')

/** A value of the demo as its twin has it: the same names, other identifiers. */
export function twinOf<T extends Json>(value: T): T {
  return JSON.parse(toTwin(JSON.stringify(value)))
}

/** The owner of the twin of the demo's first organisation, a stranger to the demo. In the demo itself he has no role. */
export const twinOwner = 'norolekk'

/**
 * A second tenant that holds what the demo holds, under other identifiers and the same names: clusters, databases,
 * collections. Who mistakes one for the other is found out.
 */
export function twinOfDemo(): Demo {
  const { apiKeys = [], serviceAccounts: _accounts, ...resources } = loadDemo()
  const roles = [{ role: 'ORGANIZATION_OWNER', orgId: toTwin('64b7e0a10f3a5d6e7f809001') }]
  const owner = apiKeys.filter(({ publicKey }) => publicKey === twinOwner).map((key) => ({ ...key, roles }))
  return { ...JSON.parse(toTwin(JSON.stringify(resources))), apiKeys: owner }
}

/** Identifiers within a value, in the order in which they stand. */
export const identifiersIn = (value: unknown): string[] =>
  JSON.stringify(value ?? null).match(/\b[6e][0-9a-f]{23}\b/g) ?? []
