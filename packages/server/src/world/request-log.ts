/** What is known of a request once it is answered. */
export interface RequestEntry {
  readonly requestId: string
  /** By the world's clock. */
  readonly at: string
  readonly method: string
  /** Without the query, which may hold what should not be read by others. */
  readonly path: string
  readonly operationId: string | undefined
  readonly version: string | undefined
  readonly status: number
  readonly errorCode: string | undefined
  readonly milliseconds: number
  /** Public key or client id of the caller. */
  readonly principal: string | undefined
  /** Members of body and query that were sent and that no handler read, as JSON Pointers and names. */
  readonly unread: readonly string[]
  /** What went wrong on purpose. */
  readonly fault: string | undefined
}

/** What is written down of a request: the rest of its entry is made of it when somebody looks. */
export interface RequestFacts extends Omit<RequestEntry, 'at' | 'path' | 'milliseconds'> {
  /** By the world's clock. */
  readonly now: number
  /** As it was sent. */
  readonly target: string
  readonly duration: number
}

/** The latest requests of a world. */
export interface RequestLog {
  add(facts: RequestFacts): void
  /** The latest, newest first. */
  latest(limit: number): readonly RequestEntry[]
  clear(): void
  /** Tells of what happens to it from now on, until what it answers is called. */
  follow(follower: RequestFollower): () => void
  /** For the end of its world: there is nothing to follow any more. */
  end(): void
}

/** Who wants to know at once. */
export interface RequestFollower {
  readonly onEntry: (entry: RequestEntry) => void
  readonly onClear: () => void
  readonly onEnd: () => void
}

/** How many requests are remembered. */
const size = 1000

export function createRequestLog(): RequestLog {
  let ring: RequestFacts[] = []
  let next = 0
  const followers = new Set<RequestFollower>()
  return {
    add: (facts) => {
      ring[next % size] = facts
      next += 1
      for (const { onEntry } of followers) onEntry(entryOf(facts))
    },
    latest: (limit) => {
      const count = Math.min(limit, ring.length)
      return Array.from({ length: count }, (_, back) => ring[(next - 1 - back) % size])
        .filter((facts) => facts !== undefined)
        .map(entryOf)
    },
    clear: () => {
      ring = []
      next = 0
      for (const { onClear } of followers) onClear()
    },
    follow: (follower) => {
      followers.add(follower)
      return () => followers.delete(follower)
    },
    end: () => {
      for (const { onEnd } of followers) onEnd()
      followers.clear()
    },
  }
}

function entryOf({ requestId, now, target, duration, method, ...rest }: RequestFacts): RequestEntry {
  return {
    requestId,
    at: new Date(now).toISOString(),
    method,
    path: pathOf(target),
    ...rest,
    milliseconds: millisecondsOf(duration),
  }
}

/** An authority of whatever scheme, which may hold a password (RFC 3986 §3.2.1). */
const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** The part of a target that may be told, however long it is. */
export function pathOf(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(authority, '')
  return local.split(/[?#]/)[0]?.slice(0, 500) ?? ''
}

export const millisecondsOf = (duration: number): number => Math.round(duration * 1000) / 1000
