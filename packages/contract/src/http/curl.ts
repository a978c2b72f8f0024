import { isCoded } from './coding.ts'
import { type Exchange, headerValue } from './exchange.ts'

/** Quotes a word for a POSIX shell. */
const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** The maximum length of a body in a command. A shell command can't contain a megabyte of text. */
const longestBody = 4096

export interface CurlOptions {
  /** Whether the request had valid credentials. Reports replace valid credentials with shell variables. */
  readonly genuine: boolean
  /** The name of the credentials in the target file. */
  readonly holder?: string | undefined
}

const authorization = (value: string, genuine: boolean): string[] => {
  const scheme = value.split(' ')[0]?.toLowerCase()
  if (!genuine) return ['-H', quote(`Authorization: ${value}`)]
  if (scheme === 'digest') return ['--digest', '-u', '"$SVC_PUBLIC_KEY:$SVC_PRIVATE_KEY"']
  if (scheme === 'basic') return ['-u', '"$SVC_CLIENT_ID:$SVC_CLIENT_SECRET"']
  return ['-H', '"Authorization: Bearer $SVC_TOKEN"']
}

/** A request, with its response if there was one. */
type Sent = Pick<Exchange, 'url' | 'request'> & Partial<Pick<Exchange, 'response'>>

/**
 * Returns a `curl` command that repeats a request. The command never contains secrets. Shell variables replace valid
 * credentials (`SVC_PUBLIC_KEY`, `SVC_PRIVATE_KEY`, `SVC_CLIENT_ID`, `SVC_CLIENT_SECRET`, `SVC_TOKEN`).
 */
export const curlLine = ({ url, request, response }: Sent, { genuine, holder }: CurlOptions): string => {
  const words = ['curl', '-i', '--path-as-is']
  if (request.method !== 'GET') words.push('-X', quote(request.method))
  const sent = headerValue(request.headers, 'Authorization')
  if (sent !== undefined) words.push(...authorization(sent, genuine))
  // By default, curl sends an `Accept` header. A header name with a colon but no value removes this header.
  if (headerValue(request.headers, 'Accept') === undefined) words.push('-H', "'Accept:'")
  // curl decodes bodies only with `--compressed`, which also adds a header.
  // The empty `Accept-Encoding:` option removes this header.
  if (response && isCoded(response.headers)) words.push('--compressed', '-H', "'Accept-Encoding:'")
  for (const [name, value] of request.headers) {
    if (name.toLowerCase() !== 'authorization')
      words.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`))
  }
  if (request.body !== undefined) {
    if (headerValue(request.headers, 'Content-Type') === undefined) words.push('-H', "'Content-Type:'")
    if (request.body.length <= longestBody) words.push('--data-raw', quote(request.body))
    else words.push('--data-binary', `@body-of-${Buffer.byteLength(request.body)}-bytes`)
  }
  words.push(quote(url))
  if (genuine && holder !== undefined) words.push(`# as ${holder}`)
  return words.join(' ')
}
