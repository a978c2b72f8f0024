import type { CallContext } from './fetch.ts'
import { tolerate } from './tolerate.ts'

/** A deprecation notice. Each client reports a notice only once per operation and version. */
export interface DeprecationNotice {
  readonly operationId: string
  readonly version: string
  /** The time when the version was or will be deprecated (RFC 9745), if the server provides it. */
  readonly since?: Date
  /** The time after which the version may stop working (RFC 8594). */
  readonly sunset?: Date
  /** The URL of the newer version, from the `Link` header with `rel="successor-version"`. */
  readonly successor?: string
  /** The URL of the documentation, from the `Link` header with `rel="deprecation"`. */
  readonly documentation?: string
}

/** Called once for each deprecation notice. */
export type OnDeprecation = (notice: DeprecationNotice) => void

/** Reads response headers and reports the first deprecation notice for each operation and version. */
export type DeprecationWatch = (context: CallContext, headers: Headers, now: number) => void

/**
 * The interval between header checks after a response without a notice, in milliseconds. Checks are limited because
 * reading headers is slow.
 */
const pauseMs = 60_000

/**
 * Creates a `DeprecationWatch`, which reports deprecation notices. Use the watch with `createPartialClient`.
 *
 * @example
 * const deprecation = watchDeprecation(({ operationId, sunset }) => console.warn(operationId, sunset))
 * const small = createPartialClient({ ...options, operations: { listAlerts }, deprecation })
 */
export function watchDeprecation(notify: OnDeprecation): DeprecationWatch {
  // The maps are nested because a combined key would have to be created and hashed for each response.
  const nextChecks = new Map<string, Map<string, number>>()
  return (context, headers, now) => {
    const { operationId, version } = context
    const nextCheck = nextChecks.get(operationId) ?? new Map<string, number>()
    if (now < (nextCheck.get(version) ?? 0)) return
    const deprecation = headers.get('deprecation')
    const sunset = headers.get('sunset')
    const found = deprecation !== null || sunset !== null
    nextChecks.set(operationId, nextCheck)
    nextCheck.set(version, found ? Number.POSITIVE_INFINITY : now + pauseMs)
    if (!found) return
    void tolerate(() => notify(readNotice(context, headers, deprecation, sunset)))
  }
}

function readNotice(
  { operationId, version }: CallContext,
  headers: Headers,
  deprecation: string | null,
  sunset: string | null,
): DeprecationNotice {
  const link = headers.get('link') ?? ''
  const since = parseDate(deprecation)
  const end = parseDate(sunset)
  const successor = findLink(link, 'successor-version')
  const documentation = findLink(link, 'deprecation')
  return {
    operationId,
    version,
    ...(since && { since }),
    ...(end && { sunset: end }),
    ...(successor && { successor }),
    ...(documentation && { documentation }),
  }
}

/** Parses `@1688169599` (RFC 9745), an HTTP date (RFC 8594 and the drafts) or a bare `true`. */
function parseDate(value: string | null): Date | undefined {
  const text = value?.trim() ?? ''
  const date = new Date(/^@-?\d+$/.test(text) ? Number(text.slice(1)) * 1000 : Date.parse(text))
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Returns the target of the first link with the given relation (RFC 8288 §3). */
function findLink(header: string, relation: string): string | undefined {
  for (const [, target, parameters] of header.matchAll(
    /<([^>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s;,"]+))*)/g,
  )) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters ?? '')
    if ((rel?.[1] ?? rel?.[2] ?? '').split(/\s+/).includes(relation)) return target
  }
  return undefined
}

/**
 * The default callback, which logs one line to the console. The deprecation date and the sunset date can each be in the
 * past or in the future.
 */
export function warnDeprecation(notice: DeprecationNotice, now: number): void {
  const { operationId, version, since, sunset, successor } = notice
  const day = (date: Date): string => date.toISOString().slice(0, 10)
  const isFuture = (date: Date): boolean => date.getTime() > now
  const parts = [
    `${operationId} in version ${version} `,
    since && isFuture(since) ? `will be deprecated on ${day(since)}` : 'is deprecated',
    since && !isFuture(since) && ` since ${day(since)}`,
    sunset && `, and ${isFuture(sunset) ? 'may stop working' : 'reached its sunset'} on ${day(sunset)}`,
    // The successor URL is often the current request's URL because headers select the version.
    successor && `; a newer version is at ${successor}`,
  ]
  console.warn(parts.filter(Boolean).join(''))
}
