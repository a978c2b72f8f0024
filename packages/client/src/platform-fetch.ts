import { NetworkError } from './errors.ts'
import type { Fetch, PlatformFetch } from './fetch.ts'

interface Described {
  readonly name: string
  readonly message: string
  readonly code?: string
}

/**
 * Keeps of a low-level failure its name, message and code. The rest is dropped: some implementations of
 * `fetch` hang the request, with its Authorization header, on the error.
 */
export function describeCause(error: unknown, secret: string | undefined): Described {
  const { name, message, code, cause } = (
    error instanceof Error ? error : { message: String(error) }
  ) as Error & {
    code?: unknown
  }
  const inner = cause as { code?: unknown; message?: unknown } | undefined
  const text = [message, inner?.message].filter((part) => typeof part === 'string').join(': ')
  const found = code ?? inner?.code
  return {
    name: name ?? 'Error',
    message: redact(text, secret),
    ...(typeof found === 'string' && { code: found }),
  }
}

function redact(text: string, secret: string | undefined): string {
  if (secret === undefined) return text
  return [secret, secret.slice(secret.indexOf(' ') + 1)].reduce(
    (left, part) => left.replaceAll(part, '[redacted]'),
    text,
  )
}

/**
 * The innermost `Fetch`. Redirects are not followed: the API sends none, and a followed one would carry
 * credentials or a Digest `uri` to a place that they were not made for.
 */
export function fromPlatform(fetch: PlatformFetch): Fetch {
  return ({ url, method, headers, body, signal, context }) => {
    const init: RequestInit = { method, headers, signal, redirect: 'manual' }
    if (body !== undefined) init.body = body
    return fetch(url, init).catch((error: unknown) => {
      throw new NetworkError(context, describeCause(error, headers.authorization))
    })
  }
}
