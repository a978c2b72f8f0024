export type DatabaseKind = 'postgres' | 'sqlite'

/** The address of an in-memory database. */
export const memory = ':memory:'

/** Matches quotation marks and whitespace that were accidentally copied with the address. */
const wrapping = /^["'`\s]|["'`\s]$/
/** Matches the start of a file path. */
const path = /^\.{0,2}\/(?!\/)/
/** Matches a Windows drive letter. On other systems, the same text could be a one-letter username before a password. */
const drive = /^[a-z]:[\\/]/i
/**
 * Matches text that looks like a mistyped URL. Such text contains `:`, `@` or `=` before the first slash, contains
 * `://`, or starts with `//`, `postgres//` or `postgresql//`.
 */
const remains = /^[^/]*[:@=]|:\/\/|^\/\/|^postgres(ql)?\/\//i

/**
 * Returns the type of database that an address points to. Rejects mistyped PostgreSQL addresses, because the server
 * would otherwise create a file with the password in its name.
 *
 * @throws {Error} if the address is invalid. The error message doesn't contain any part of the address. The caller adds
 *   the name of the setting.
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
