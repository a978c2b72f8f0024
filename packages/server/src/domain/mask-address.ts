/**
 * An address as it may be printed: no password, neither before its host nor in its query. Rather too much is hidden
 * than too little: passwords are written without percent-encoding as well, so the last `@` ends one, whatever stands
 * before it.
 *
 * @example
 * maskAddress('postgres://me:p@ss/w?rd@host/db') // 'postgres://me:***@host/db'
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
 * What a driver says of an address that it was given, without the secrets of that address: a password that is not
 * percent-encoded may have been read as a host, a port or the name of a database.
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

/** The driver decodes names before it looks at them. */
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
