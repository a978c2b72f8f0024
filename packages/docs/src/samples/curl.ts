import type { SampleCall } from './call.ts'

/** Quotes a word for a POSIX shell, if necessary. */
export const shellWord = (text: string): string =>
  /^[A-Za-z0-9_./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

const target = ({ path, query }: SampleCall): string =>
  `"$SVC_BASE_URL${path}${query.length > 0 ? `?${new URLSearchParams(query.map(([name, value]) => [name, value]))}` : ''}"`

function request(call: SampleCall, credentials: readonly string[]): string {
  const { method, accept, contentType, body } = call
  const form = contentType === 'application/x-www-form-urlencoded'
  const lines = [
    `curl -sS ${credentials.join(' ')}`,
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    target(call),
    `-H ${shellWord(`Accept: ${accept}`)}`,
    ...(contentType && !form ? [`-H ${shellWord(`Content-Type: ${contentType}`)}`] : []),
    // The body is last because it spans several lines.
    ...(body === undefined ? [] : [`--data ${shellWord(form ? formBody(body) : jsonBody(body))}`]),
  ]
  return lines.join(' \\\n  ')
}

/** Indents JSON to match the rest of the command. This is safe because strings in JSON contain no line breaks. */
const jsonBody = (body: unknown): string => JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')

export function formBody(body: unknown): string {
  const entries = Object.entries(body ?? {}).map(([name, value]) => [name, String(value)])
  return new URLSearchParams(entries).toString()
}

/**
 * Authenticates with an API key. Operations that use Basic authentication need a service account's client ID and secret
 * instead.
 */
export function curlDigest(call: SampleCall): string {
  if (call.basic) return request(call, ['-u "$SVC_CLIENT_ID:$SVC_CLIENT_SECRET"'])
  return request(call, ['--digest', '-u "$SVC_PUBLIC_KEY:$SVC_PRIVATE_KEY"'])
}

/** Authenticates with a service account's access token. */
export const curlBearer = (call: SampleCall): string =>
  request(call, ['-H "Authorization: Bearer $SVC_TOKEN"'])
