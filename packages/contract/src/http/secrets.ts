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
const tokenMember = /("access_token"\s*:\s*")[^"]*(")/g

/**
 * Collects secrets and hides them in whatever is reported.
 *
 * @example
 * const secrets = createSecrets(['private-key'])
 * secrets.maskText('the private-key is out') // 'the [masked] is out'
 */
export const createSecrets = (initial: Iterable<string> = []): Secrets => {
  const known = new Set<string>([...initial].filter((secret) => secret.length >= shortestSecret))
  const maskText = (text: string): string => {
    let masked = text.replace(tokenMember, `$1${mask}$2`)
    for (const secret of known) if (masked.includes(secret)) masked = masked.replaceAll(secret, mask)
    return masked
  }
  const maskRequest = (request: RawRequest): RawRequest => ({
    ...request,
    path: maskText(request.path),
    headers: request.headers.map((header) => maskHeader(header, maskText)),
    body: request.body === undefined ? undefined : maskText(request.body),
  })
  return {
    add: (secret) => {
      if (secret.length >= shortestSecret) known.add(secret)
    },
    within: (text) => [...known].filter((secret) => text.includes(secret)),
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
