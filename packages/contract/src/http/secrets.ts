import { anyEncoding } from './encoded-forms.ts'
import type { Exchange, Header, RawRequest } from './exchange.ts'

const mask = '[masked]'

/** The minimum length of a secret. Shorter strings occur by chance, so masking them would make reports unreadable. */
const shortestSecret = 6

/** Finds and masks secrets: passwords, client secrets, tokens, and all values that are derived from them. */
export interface Secrets {
  add(secret: string): void
  /** Returns the secrets that a string contains. */
  within(text: string): string[]
  maskText(text: string): string
  maskRequest(request: RawRequest): RawRequest
  maskExchange(exchange: Exchange): Exchange
}

/** Masks an `Authorization` header, except for its scheme and the public parameters of Digest. */
const maskAuthorization = (value: string): string => {
  const [scheme = ''] = value.split(' ')
  if (scheme.toLowerCase() === 'digest') return value.replace(/\bresponse="[^"]*"/, `response="${mask}"`)
  return value.includes(' ') ? `${scheme} ${mask}` : mask
}

const maskHeader = ([name, value]: Header, maskText: (text: string) => string): Header => [
  name,
  name.toLowerCase() === 'authorization' ? maskAuthorization(value) : maskText(value),
]

/** Matches the token in a response. The target issues tokens during the run, so the kit may not know the token yet. */
const tokenField = /(access_token\\*"\s*:\s*\\*")(?:[^"\\]|\\[^"])*/g

/**
 * The minimum length of a partial secret at the end of a truncated string. A shorter part can't be distinguished from
 * ordinary words.
 */
const shortestCut = 8

type Span = readonly [from: number, to: number]

/** The patterns for one secret. */
interface SecretPatterns {
  /**
   * Patterns for the whole secret. Each pattern has a run of letters that is never escaped. Searching a text
   * for these letters is fast and rules out most texts.
   */
  readonly whole: readonly { readonly letters: string; readonly pattern: RegExp }[]
  /** The forms of the secret that can appear at the end of a truncated string. */
  readonly cut: readonly string[]
}

const patternsOf = (secret: string): SecretPatterns => {
  // The secret may also be encoded as Base64, with or without padding.
  const forms = [secret, Buffer.from(secret).toString('base64')].map((form) => form.replace(/={1,2}$/, ''))
  const lettersOf = (form: string): string =>
    form.split(/[^A-Za-z0-9]/).reduce((longest, run) => (run.length > longest.length ? run : longest))
  return {
    whole: forms.map((form) => ({ letters: lettersOf(form), pattern: anyEncoding(form) })),
    cut: [...new Set([secret, JSON.stringify(secret).slice(1, -1)])],
  }
}

const wholeSpans = (text: string, { whole }: SecretPatterns): Span[] =>
  whole
    .filter(({ letters }) => text.includes(letters))
    .flatMap(({ pattern }) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length] as const),
    )

/** Finds secrets that were truncated. A string can be truncated at its end or before an ellipsis. */
const cutSpans = (text: string, ends: readonly number[], { cut }: SecretPatterns): Span[] =>
  cut.flatMap((form) =>
    ends.flatMap((end) => {
      const from = Math.max(0, end - form.length + 1)
      const start = text.slice(from, end).lastIndexOf(form.slice(0, shortestCut))
      // If the secret repeats its own beginning, mask the longest match.
      for (let at = from; start !== -1 && at <= from + start; at += 1)
        if (form.startsWith(text.slice(at, end))) return [[at, end] as const]
      return []
    }),
  )

/** Masks all spans. Spans can overlap, because a secret can contain another secret. */
const masking = (text: string, spans: readonly Span[]): string => {
  let [masked, shown] = ['', 0]
  const sorted = [...spans].sort(([one], [other]) => one - other)
  for (const [at, [from, end]] of sorted.entries()) {
    if (at === 0 || from > shown) masked += text.slice(shown, from) + mask
    shown = Math.max(shown, end)
  }
  return masked + text.slice(shown)
}

/**
 * Collects secrets and masks them in everything that the kit reports.
 *
 * @example
 * const secrets = createSecrets(['private-key'])
 * secrets.maskText('the private-key is out') // 'the [masked] is out'
 */
export const createSecrets = (initial: Iterable<string> = []): Secrets => {
  const known = new Map<string, SecretPatterns>()
  const add = (secret: string): void => {
    if (secret.length >= shortestSecret && !known.has(secret)) known.set(secret, patternsOf(secret))
  }
  for (const secret of initial) add(secret)
  const maskText = (text: string): string => {
    const tokens = text.replace(tokenField, `$1${mask}`)
    const ends = [...tokens.matchAll(/…|$/g)].map(({ index }) => index)
    const spans = [...known.values()].flatMap((one) => [
      ...wholeSpans(tokens, one),
      ...cutSpans(tokens, ends, one),
    ])
    return masking(tokens, spans)
  }
  const maskRequest = (request: RawRequest): RawRequest => ({
    ...request,
    path: maskText(request.path),
    headers: request.headers.map((header) => maskHeader(header, maskText)),
    body: request.body === undefined ? undefined : maskText(request.body),
  })
  return {
    add,
    maskRequest,
    within: (text) =>
      [...known].filter(([, one]) => wholeSpans(text, one).length > 0).map(([secret]) => secret),
    maskText,
    maskExchange: (exchange) => ({
      ...exchange,
      url: maskText(exchange.url),
      request: maskRequest(exchange.request),
      response: {
        ...exchange.response,
        headers: exchange.response.headers.map((header) => maskHeader(header, maskText)),
        body: maskText(exchange.response.body),
      },
    }),
  }
}
