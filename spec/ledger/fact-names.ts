/** Whether a fact that a requirement covers, which may have `*` in it, covers another one. */
export function covers(covering: string, fact: string): boolean {
  if (covering === fact) return true
  if (covering.includes('*')) return globOf(covering).test(fact)
  // A schema covers its fields.
  return covering.startsWith('schema:') && fact.startsWith(`${covering}.`)
}

const globs = new Map<string, RegExp>()

function globOf(pattern: string): RegExp {
  const known = globs.get(pattern)
  if (known) return known
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^$()[\]{}|\\]/g, '\\$&'))
  const made = new RegExp(`^${parts.join('.*')}$`)
  globs.set(pattern, made)
  return made
}

/** The kinds of facts of which each one needs a requirement. */
export const coveredKinds = [
  'operation',
  'parameter',
  'schema',
  'limit',
  'state',
  'error',
  'token-error',
  'role',
] as const

export const kindOf = (fact: string) => fact.slice(0, fact.indexOf(':'))
