import { isCoded } from './coding.ts'
import { type Exchange, headerValue } from './exchange.ts'

/** Quotes for a POSIX shell. */
const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Longer bodies are said, not shown: a shell line of a megabyte helps nobody. */
const longestBody = 4096

export interface CurlOptions {
  /** The credentials that the request was sent with are good ones, so a person can put their own. */
  readonly genuine: boolean
  /** Whose credentials these were. */
  readonly holder?: string | undefined
}

const authorization = (value: string, genuine: boolean): string[] => {
  const scheme = value.split(' ')[0]?.toLowerCase()
  if (!genuine) return ['-H', quote(`Authorization: ${value}`)]
  if (scheme === 'digest') return ['--digest', '-u', '"$SVC_PUBLIC_KEY:$SVC_PRIVATE_KEY"']
  if (scheme === 'basic') return ['-u', '"$SVC_CLIENT_ID:$SVC_CLIENT_SECRET"']
  return ['-H', '"Authorization: Bearer $SVC_TOKEN"']
}

/** Of an exchange, or of a request that nobody has answered. */
type Sent = Pick<Exchange, 'url' | 'request'> & Partial<Pick<Exchange, 'response'>>

/**
 * The `curl` line that repeats a request. Secrets never stand in it: good credentials become variables of the
 * shell (`SVC_PUBLIC_KEY`, `SVC_PRIVATE_KEY`, `SVC_CLIENT_ID`, `SVC_CLIENT_SECRET`, `SVC_TOKEN`).
 */
export const curlLine = ({ url, request, response }: Sent, { genuine, holder }: CurlOptions): string => {
  const words = ['curl', '-i', '--path-as-is']
  if (request.method !== 'GET') words.push('-X', quote(request.method))
  const sent = headerValue(request.headers, 'Authorization')
  if (sent !== undefined) words.push(...authorization(sent, genuine))
  // curl sends `Accept: */*` unless told otherwise; a header without value after the colon removes it.
  if (headerValue(request.headers, 'Accept') === undefined) words.push('-H', "'Accept:'")
  // curl undoes codings with --compressed alone, which asks for some unless the header is taken out again.
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
