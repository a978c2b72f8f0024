/** Returns whether a fact in a requirement's `covers`, which may contain `*`, includes another fact. */
export function covers(covering: string, fact: string): boolean {
  if (covering === fact) return true
  if (covering.includes('*')) return globOf(covering).test(fact)
  // A schema also includes all of its fields.
  return covering.startsWith('schema:') && fact.startsWith(`${covering}.`)
}

const globs = new Map<string, RegExp>()

function globOf(pattern: string): RegExp {
  const cached = globs.get(pattern)
  if (cached) return cached
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^$()[\]{}|\\]/g, '\\$&'))
  const glob = new RegExp(`^${parts.join('.*')}$`)
  globs.set(pattern, glob)
  return glob
}

/** The kinds of facts that must have a requirement. */
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
