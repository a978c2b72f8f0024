import { type Exchange, headerValue, type RawRequest } from './exchange.ts'

/** Statuses of a target that does not have what was asked for, which says nothing of who asked. */
export const absentStatuses: readonly number[] = [404, 405, 406, 410, 501]

/** Whoever is asked for credentials, whatever the status, has found what asks for them. */
const isAbsent = ({ response: { status, headers } }: Exchange): boolean =>
  absentStatuses.includes(status) && headerValue(headers, 'WWW-Authenticate') === undefined

/** Two operations may be at one path, and two versions of one. */
const nameOf = ({ method, path, headers }: RawRequest): string =>
  [method, path, headerValue(headers, 'Accept')].join(' ')

type Send = (request: RawRequest) => Promise<Exchange>

/** Requests that anybody may send, and is asked for credentials then. */
export interface UnauthenticatedProbes {
  /** The one that is known to be there, or else the first. */
  current(): RawRequest
  /**
   * Sends the current one without credentials. Where the target has not what it asks for, the others are sent in their
   * order until one is answered with a 401, once in a run: that one it is from then on.
   *
   * @returns the answer that asks for credentials, or else that of something that is there, or else the first.
   */
  findChallenge(send: Send): Promise<Exchange>
  /** The same, once the current one has been answered. */
  challengeAfter(exchange: Exchange, send: Send): Promise<Exchange>
}

/** Requests in the order in which they are tried. */
export const createUnauthenticatedProbes = ([first, ...others]: readonly [
  RawRequest,
  ...RawRequest[],
]): UnauthenticatedProbes => {
  let current = first
  let sought: Promise<Exchange | undefined> | undefined
  const seek = async (send: Send): Promise<Exchange | undefined> => {
    let found: Exchange | undefined
    for (const probe of others) {
      const exchange = await send(probe)
      if (!isAbsent(exchange)) found ??= exchange
      if (exchange.response.status !== 401) continue
      found = exchange
      break
    }
    current = found?.request ?? current
    return found
  }
  const seekOnce = (send: Send): Promise<Exchange | undefined> => {
    sought ??= seek(send).catch((error: unknown) => {
      sought = undefined
      throw error
    })
    return sought
  }
  const unauthenticatedProbes: UnauthenticatedProbes = {
    current: () => current,
    findChallenge: async (send) => unauthenticatedProbes.challengeAfter(await send(current), send),
    async challengeAfter(exchange, send) {
      if (!isAbsent(exchange)) return exchange
      const isFirst = sought === undefined
      const found = await seekOnce(send)
      if (found === undefined || nameOf(exchange.request) === nameOf(current)) return exchange
      // A challenge is answered once: whoever has not sought has one of its own.
      return isFirst ? found : send(current)
    },
  }
  return unauthenticatedProbes
}
