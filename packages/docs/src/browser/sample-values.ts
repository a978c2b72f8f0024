/** The reader's values, by the environment variable that they replace. */
export type Values = Readonly<Record<string, string>>

/** Matches values that need no escaping in HTML or in strings in any sample language. */
export const harmless = /^[\w.:/~@+-]*$/

/** Returns a sample's highlighted code with the reader's values instead of environment variables. */
export function withValues(markup: string, values: Values): string {
  const quoted = (quote: string) => (whole: string, name: string) =>
    values[name] ? `<i>${quote}${values[name]}${quote}</i>` : whole
  const project = values.SVC_GROUP_ID
  const options = clientOptions(values)
  const [, example] =
    /\/groups\/([0-9a-f]{24})\b/.exec(markup) ?? /groupId\W*<i>'([0-9a-f]{24})'/.exec(markup) ?? []
  const replaced = markup
    .replace(/process\.env\.(SVC_\w+)(?: \?\? <i>'[^'<]*'<\/i>)?/g, quoted("'"))
    .replace(/os\.environ\[<i>"(SVC_\w+)"<\/i>\]/g, quoted('"'))
    .replace(/os\.environ\.get\(<i>"(SVC_\w+)"<\/i>, <i>"[^"<]*"<\/i>\)/g, quoted('"'))
    .replace(/os\.Getenv\(<i>"(SVC_\w+)"<\/i>\)/g, quoted('"'))
    .replaceAll('...fromEnv()', options.length > 0 ? options.join(', ') : '...fromEnv()')
    .replaceAll('createClient, fromEnv', options.length > 0 ? 'createClient' : 'createClient, fromEnv')
    .replace(/\$(SVC_\w+)/g, (whole, name: string) => values[name] || whole)
  return project && example ? replaced.replaceAll(example, project) : replaced
}

/**
 * Returns client options with the reader's values, or nothing if a required value is missing. If there are several
 * kinds of credentials, chooses the same kind as the client.
 */
function clientOptions(values: Values): string[] {
  const { SVC_BASE_URL: base, SVC_TOKEN: token, SVC_CLIENT_ID: id, SVC_CLIENT_SECRET: secret } = values
  const { SVC_PUBLIC_KEY: publicKey, SVC_PRIVATE_KEY: privateKey } = values
  const quoted = (pairs: Values) => Object.entries(pairs).map(([name, value]) => `${name}: <i>'${value}'</i>`)
  const credentials = token
    ? { accessToken: token }
    : id && secret
      ? { clientId: id, clientSecret: secret }
      : publicKey && privateKey && { publicKey, privateKey }
  if (!base || !credentials) return []
  return [...quoted({ baseUrl: base }), `credentials: { ${quoted(credentials).join(', ')} }`]
}
