/** What the address of a database names. */
export type DatabaseKind = 'postgres' | 'sqlite'

/** Something with a scheme; one letter is a drive of Windows. */
const scheme = /^[a-z][a-z0-9+.-]+:/i
/** Around an address that was copied along with them. */
const wrapping = /^["'`\s]|["'`\s]$/

/**
 * Tells by an address which database it is of. A mistyped one of PostgreSQL must not become a file, which would be named
 * after its password.
 *
 * @throws {Error} for what is none. It shows nothing of the address, and goes on after the name of what held it.
 */
export function kindOfDatabase(address: string): DatabaseKind {
  if (wrapping.test(address)) throw new Error(`must be ${expected}, without quotes or blanks around it`)
  if (/^postgres(ql)?:\/\//.test(address)) return 'postgres'
  if (!scheme.test(address) && !address.includes('://')) return 'sqlite'
  throw new Error(`must be ${expected}; a file whose name begins like an address has ./ before it`)
}

const expected = 'a file, :memory:, or postgres://user@host/name'
