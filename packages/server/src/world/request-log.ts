/** An entry in the request log. */
export interface RequestEntry {
  readonly requestId: string
  /** The world's time when the request arrived. */
  readonly at: string
  readonly method: string
  /** The path without the query, because the query may contain secrets. */
  readonly path: string
  readonly operationId: string | undefined
  readonly version: string | undefined
  readonly status: number
  readonly errorCode: string | undefined
  readonly milliseconds: number
  /** The caller's public key or client ID, if any. */
  readonly principal: string | undefined
  /**
   * The parts of the input that the operation didn't read, as JSON Pointers to body fields and names of query
   * parameters.
   */
  readonly unread: readonly string[]
  /** The kind of the injected fault, if any. */
  readonly fault: string | undefined
}

/** The information stored about a request. Log entries are built from this information on demand. */
export interface RequestFacts extends Omit<RequestEntry, 'at' | 'path' | 'milliseconds'> {
  /** The world's time when the request arrived, in milliseconds since the Unix epoch. */
  readonly now: number
  /** The request target as sent by the client. */
  readonly target: string
  readonly duration: number
}

export interface RequestLog {
  add(facts: RequestFacts): void
  /** Returns up to `limit` requests, newest first. */
  latest(limit: number): readonly RequestEntry[]
  clear(): void
  /** Subscribes to changes. Returns a function that cancels the subscription. */
  follow(follower: RequestFollower): () => void
  /** Ends all subscriptions, because the world was removed or the server is stopping. */
  end(): void
}

/** The callbacks of a subscriber. */
export interface RequestFollower {
  readonly onEntry: (entry: RequestEntry) => void
  readonly onClear: () => void
  readonly onEnd: () => void
}

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

/** Matches the scheme and authority of a URL. The authority may contain a password (RFC 3986 §3.2.1). */
const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** Returns the path of a request target without secrets, truncated to 500 characters. */
export function pathOf(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(authority, '')
  return local.split(/[?#]/)[0]?.slice(0, 500) ?? ''
}

export const millisecondsOf = (duration: number): number => Math.round(duration * 1000) / 1000
