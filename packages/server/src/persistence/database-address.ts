/** What the address of a database names. */
export type DatabaseKind = 'postgres' | 'sqlite'

/** The address of a database that ends with its process. */
export const memory = ':memory:'

/** Around an address that was copied along with them. */
const wrapping = /^["'`\s]|["'`\s]$/
/** A file that is told by its path. */
const path = /^\.{0,2}\/(?!\/)/
/** A drive of Windows, which elsewhere is a name of one letter before a password. */
const drive = /^[a-z]:[\\/]/i
/** A scheme, a login or a parameter before there is a folder; a host; what has lost its colon. */
const remains = /^[^/]*[:@=]|:\/\/|^\/\/|^postgres(ql)?\/\//i

/**
 * Tells by an address which database it is of. A mistyped one of PostgreSQL must not become a file, which would be named
 * after its password.
 *
 * @throws {Error} for what is none. It shows nothing of the address, and goes on after the name of what held it.
 */
export function kindOfDatabase(address: string, platform = process.platform): DatabaseKind {
  if (wrapping.test(address)) throw new Error(`must be ${expected}, without surrounding quotes or spaces`)
  if (/^postgres(ql)?:\/\//.test(address)) return 'postgres'
  if (address === memory || path.test(address)) return 'sqlite'
  if (platform === 'win32' && drive.test(address)) return 'sqlite'
  if (!remains.test(address)) return 'sqlite'
  throw new Error(`must be ${expected}; if a file name looks like an address, put ./ before it`)
}

const expected = `a file, ${memory}, or postgres://user@host/name`
