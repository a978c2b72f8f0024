/**
 * Masks passwords in the user information and query of an address so that the address is safe to print. Everything up
 * to the last `@` counts as the password, because users may forget to percent-encode their passwords.
 *
 * @example maskAddress('postgres://me:p@ss/w?rd@host/db') // 'postgres://me:***@host/db'
 */
export function maskAddress(address: string): string {
  const [, place = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(address.replace(login, '$1:***@')) ?? []
  return (
    place +
    query.replace(/([?&])([^=&]*)=([^&]*)/g, (pair, before: string, name: string) =>
      isSecretName(name) ? `${before}${name}=***` : pair,
    )
  )
}

/**
 * Removes the secrets of an address from a database driver's error message. If a password isn't percent-encoded, the
 * driver may treat parts of it as a host, port or database name.
 */
export function withoutSecrets(text: string, address: string): string {
  const spellings = secretsOf(address).flatMap((secret) => [secret, decoded(secret)])
  const parts = spellings.flatMap((secret) => secret.split(/[/?#@:]/).filter(({ length }) => length > 2))
  const longestFirst = [...spellings, ...parts].sort((a, b) => b.length - a.length)
  const hidden = longestFirst.filter((part) => part !== '').map(literally)
  return hidden.length === 0 ? text : text.replace(new RegExp(hidden.join('|'), 'gi'), '***')
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const login = /^([\w+.-]+:\/\/[^:]*):(.*)@/s

function secretsOf(address: string): string[] {
  const [, , password = ''] = login.exec(address) ?? []
  const query = new URLSearchParams(address.slice(address.indexOf('?') + 1))
  return [password, ...[...query].flatMap(([name, value]) => (isSecretName(name) ? [value] : []))]
}

/** Decodes the name before comparing it, as the database driver does. */
function isSecretName(name: string): boolean {
  const [decodedName = name] = new URLSearchParams(name).keys()
  return /pass|secret|token/i.test(decodedName)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
