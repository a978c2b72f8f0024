import type { CallContext } from './fetch.ts'
import { tolerate } from './tolerate.ts'

/** One notice, given once per operation and version for the life of a client. */
export interface DeprecationNotice {
  readonly operationId: string
  readonly version: string
  /** When it was, or will be, deprecated: RFC 9745. Absent where the server only says that it is. */
  readonly since?: Date
  /** After this it may stop working: RFC 8594. */
  readonly sunset?: Date
  /** Where to go instead: `Link` with `rel="successor-version"`. */
  readonly successor?: string
  /** Where it is explained: `Link` with `rel="deprecation"`. */
  readonly documentation?: string
}

export type OnDeprecation = (notice: DeprecationNotice) => void

/** Looks at answers, and calls back for the first one of an operation and version that carries a notice. */
export type DeprecationWatch = (context: CallContext, headers: Headers, now: number) => void

/** Headers are dear to read: an answer without a notice spares the next ones for so long. */
const pauseMs = 60_000

/**
 * The reading of notices, for a client that is put together from its parts.
 *
 * @example
 * const deprecation = watchDeprecation(({ operationId, sunset }) => console.warn(operationId, sunset))
 * const small = createPartialClient({ ...options, operations: { listAlerts }, deprecation })
 */
export function watchDeprecation(notify: OnDeprecation): DeprecationWatch {
  const nextLook = new Map<string, number>()
  return (context, headers, now) => {
    const key = context.operationId + context.version
    if (now < (nextLook.get(key) ?? 0)) return
    const deprecation = headers.get('deprecation')
    const sunset = headers.get('sunset')
    const found = deprecation !== null || sunset !== null
    nextLook.set(key, found ? Number.POSITIVE_INFINITY : now + pauseMs)
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

/** `@1688169599` (RFC 9745), an HTTP date (RFC 8594 and the drafts), or a bare `true`. */
function parseDate(value: string | null): Date | undefined {
  const text = value?.trim() ?? ''
  const date = new Date(/^@-?\d+$/.test(text) ? Number(text.slice(1)) * 1000 : Date.parse(text))
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The target of the first link with this relation: RFC 8288 §3. */
function findLink(header: string, relation: string): string | undefined {
  for (const [, target, parameters] of header.matchAll(
    /<([^>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s;,"]+))*)/g,
  )) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters ?? '')
    if ((rel?.[1] ?? rel?.[2] ?? '').split(/\s+/).includes(relation)) return target
  }
  return undefined
}

/** What a client does when no callback is given: one line on the console. Either date may be past or to come. */
export function warnDeprecation(notice: DeprecationNotice, now: number): void {
  const { operationId, version, since, sunset, successor } = notice
  const day = (date: Date): string => date.toISOString().slice(0, 10)
  const isToCome = (date: Date): boolean => date.getTime() > now
  const parts = [
    `${operationId} at version ${version} `,
    since && isToCome(since) ? `will be deprecated on ${day(since)}` : 'is deprecated',
    since && !isToCome(since) && ` since ${day(since)}`,
    sunset && `, and may stop working ${isToCome(sunset) ? 'on' : 'at any time since'} ${day(sunset)}`,
    // Often at the same address: what is newer there is the version that is asked for.
    successor && `; a newer version is at ${successor}`,
  ]
  console.warn(parts.filter(Boolean).join(''))
}
