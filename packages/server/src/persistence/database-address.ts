/** The kind of database that an address refers to. */
export type DatabaseKind = 'postgres' | 'sqlite'

/** The address of an in-memory database. */
export const memory = ':memory:'

/** Quotation marks and whitespace that were copied along with the address. */
const wrapping = /^["'`\s]|["'`\s]$/
/** A file path. */
const path = /^\.{0,2}\/(?!\/)/
/** A Windows drive letter. On other systems, this may be a one-letter user name before a password. */
const drive = /^[a-z]:[\\/]/i
/**
 * Parts of a mistyped URL: a scheme, login or parameter before the first slash, a host, or a scheme without its
 * colon.
 */
const remains = /^[^/]*[:@=]|:\/\/|^\/\/|^postgres(ql)?\/\//i

/**
 * Detects the kind of database that an address refers to. A mistyped PostgreSQL address must not create a file, because
 * the file name would contain the password.
 *
 * @throws {Error} if the address is invalid. The message doesn't contain any part of the address. The caller adds the
 * name of the setting.
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
