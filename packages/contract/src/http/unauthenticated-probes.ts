import { type Exchange, headerValue, type RawRequest } from './exchange.ts'

/** Statuses of a target that doesn't have the resource. They say nothing about the credentials. */
export const absentStatuses: readonly number[] = [404, 405, 406, 410, 501]

/** A challenge proves that the resource exists, regardless of the status. */
const isAbsent = ({ response: { status, headers } }: Exchange): boolean =>
  absentStatuses.includes(status) && headerValue(headers, 'WWW-Authenticate') === undefined

/** A path can have several operations, and an operation several versions. */
const nameOf = ({ method, path, headers }: RawRequest): string =>
  [method, path, headerValue(headers, 'Accept')].join(' ')

type Send = (request: RawRequest) => Promise<Exchange>

/** Requests that anyone can send, and that return a challenge. */
export interface UnauthenticatedProbes {
  /** The request that is known to work, or the first. */
  current(): RawRequest
  /**
   * Sends the current request without credentials. If the target doesn't have the resource, tries the others in order
   * until one returns a 401, once per run. That one becomes the current request.
   *
   * @returns the response with a challenge, or else one from an existing resource, or else the first.
   */
  findChallenge(send: Send): Promise<Exchange>
  /** The same, after the current request has been sent. */
  challengeAfter(exchange: Exchange, send: Send): Promise<Exchange>
}

/** Takes the requests in the order in which to try them. */
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
      // A challenge can be used only once, so other callers request their own.
      return isFirst ? found : send(current)
    },
  }
  return unauthenticatedProbes
}
