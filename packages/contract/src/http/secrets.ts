import { disguised } from './disguises.ts'
import type { Exchange, Header, RawRequest } from './exchange.ts'

const mask = '[masked]'

/** Shorter strings occur by chance in ordinary text, and masking them would spoil the report. */
const shortestSecret = 6

/** What must never be shown: passwords, client secrets, tokens, and whatever is derived from them. */
export interface Secrets {
  add(secret: string): void
  /** The secrets that occur in a text. */
  within(text: string): string[]
  maskText(text: string): string
  maskRequest(request: RawRequest): RawRequest
  maskExchange(exchange: Exchange): Exchange
}

/** Keeps the scheme and what is public of a Digest, and hides the rest. */
const maskAuthorization = (value: string): string => {
  const [scheme = ''] = value.split(' ')
  if (scheme.toLowerCase() === 'digest') return value.replace(/\bresponse="[^"]*"/, `response="${mask}"`)
  return value.includes(' ') ? `${scheme} ${mask}` : mask
}

const maskHeader = ([name, value]: Header, maskText: (text: string) => string): Header => [
  name,
  name.toLowerCase() === 'authorization' ? maskAuthorization(value) : maskText(value),
]

/** Tokens are handed out during the run, so an answer may hold one that nobody could have added before. */
const tokenField = /(access_token\\*"\s*:\s*\\*")(?:[^"\\]|\\[^"])*/g

/** Texts are shown cut. Less of a secret than this, where one was cut, could be any word. */
const shortestCut = 8

type Span = readonly [from: number, to: number]

/** What is looked for of a secret. */
interface Known {
  /** Patterns of the whole, each with letters that stand in every form of it: most texts have not even those. */
  readonly whole: readonly { readonly letters: string; readonly pattern: RegExp }[]
  /** Forms of which a text may show the beginning. */
  readonly cut: readonly string[]
}

const knownOf = (secret: string): Known => {
  // In Base64 it may stand alone, and its padding may be left away.
  const forms = [secret, Buffer.from(secret).toString('base64')].map((form) => form.replace(/={1,2}$/, ''))
  const lettersOf = (form: string): string =>
    form.split(/[^A-Za-z0-9]/).reduce((longest, run) => (run.length > longest.length ? run : longest))
  return {
    whole: forms.map((form) => ({ letters: lettersOf(form), pattern: disguised(form) })),
    cut: [...new Set([secret, JSON.stringify(secret).slice(1, -1)])],
  }
}

const wholeSpans = (text: string, { whole }: Known): Span[] =>
  whole
    .filter(({ letters }) => text.includes(letters))
    .flatMap(({ pattern }) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length] as const),
    )

/** Where a text was cut within a secret: at its end, or before an ellipsis. */
const cutSpans = (text: string, ends: readonly number[], { cut }: Known): Span[] =>
  cut.flatMap((form) =>
    ends.flatMap((end) => {
      const from = Math.max(0, end - form.length + 1)
      const start = text.slice(from, end).lastIndexOf(form.slice(0, shortestCut))
      // Of a form that begins again within itself, the longest beginning counts.
      for (let at = from; start !== -1 && at <= from + start; at += 1)
        if (form.startsWith(text.slice(at, end))) return [[at, end] as const]
      return []
    }),
  )

/** The text with a mask over each span; secrets may hold each other, so that spans may overlap. */
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
 * Collects secrets and hides them in whatever is reported.
 *
 * @example
 * const secrets = createSecrets(['private-key'])
 * secrets.maskText('the private-key is out') // 'the [masked] is out'
 */
export const createSecrets = (initial: Iterable<string> = []): Secrets => {
  const known = new Map<string, Known>()
  const add = (secret: string): void => {
    if (secret.length >= shortestSecret && !known.has(secret)) known.set(secret, knownOf(secret))
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
