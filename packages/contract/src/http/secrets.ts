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

/** One way in which a text can contain a secret. */
interface SecretForm {
  readonly secret: string
  /** The longest run of letters and digits, which is never escaped. */
  readonly letters: string
  readonly pattern: RegExp
}

const lettersOf = (form: string): string =>
  form.split(/[^A-Za-z0-9]/).reduce((longest, run) => (run.length > longest.length ? run : longest))

/** Returns the forms of a secret. The secret may also be encoded as Base64, with or without padding. */
const formsOf = (secret: string): SecretForm[] =>
  [secret, Buffer.from(secret).toString('base64')]
    .map((form) => form.replace(/={1,2}$/, ''))
    .map((form) => ({ secret, letters: lettersOf(form), pattern: anyEncoding(form) }))

/** The number of characters in a window, and the number of bits by which a new character shifts their hash. */
const [windowLength, windowShift, windowMask] = [4, 4, 0xffff]

/** Adds a character to the hash of the last four characters. Older characters have been shifted out. */
const nextHash = (hash: number, code: number): number => ((hash << windowShift) ^ code) & windowMask

/**
 * Finds the forms whose letters a text contains. Reads the text only once, because a run knows hundreds of secrets and
 * searches every response.
 */
const createFormFinder = () => {
  const short: SecretForm[] = []
  const byHash = new Map<number, readonly SecretForm[]>()
  const isKnown = new Uint8Array(windowMask + 1)
  return {
    add(form: SecretForm): void {
      const start = form.letters.slice(0, windowLength)
      if (start.length < windowLength) {
        short.push(form)
        return
      }
      const hash = Array.from(start, (letter) => letter.charCodeAt(0)).reduce(nextHash, 0)
      byHash.set(hash, [...(byHash.get(hash) ?? []), form])
      isKnown[hash] = 1
    },
    in(text: string): ReadonlySet<SecretForm> {
      const found = new Set(short)
      let hash = 0
      for (let at = 0; at < text.length; at += 1) {
        hash = nextHash(hash, text.charCodeAt(at))
        if (isKnown[hash] === 0) continue
        for (const form of byHash.get(hash) ?? [])
          if (text.startsWith(form.letters, at - windowLength + 1)) found.add(form)
      }
      return found
    },
  }
}

const spansOf = (text: string, { pattern }: SecretForm): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length] as const)

/** Finds secrets that were truncated. A string can be truncated at its end or before an ellipsis. */
const cutSpans = (text: string, ends: readonly number[], secret: string): Span[] =>
  [...new Set([secret, JSON.stringify(secret).slice(1, -1)])].flatMap((form) =>
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
  const known = new Set<string>()
  const finder = createFormFinder()
  const add = (secret: string): void => {
    if (secret.length < shortestSecret || known.has(secret)) return
    known.add(secret)
    for (const form of formsOf(secret)) finder.add(form)
  }
  for (const secret of initial) add(secret)
  const maskText = (text: string): string => {
    const tokens = text.replace(tokenField, `$1${mask}`)
    const ends = [...tokens.matchAll(/…|$/g)].map(({ index }) => index)
    const spans = [
      ...[...finder.in(tokens)].flatMap((form) => spansOf(tokens, form)),
      ...[...known].flatMap((secret) => cutSpans(tokens, ends, secret)),
    ]
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
    within(text) {
      const found = [...finder.in(text)].filter((form) => spansOf(text, form).length > 0)
      return [...new Set(found.map(({ secret }) => secret))]
    },
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
