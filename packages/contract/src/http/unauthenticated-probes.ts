import { type Exchange, headerValue, type RawRequest } from './exchange.ts'

/** The statuses of a target that doesn't have a resource. They don't show whether the credentials are valid. */
export const absentStatuses: readonly number[] = [404, 405, 406, 410, 501]

/** A challenge proves that the resource exists, regardless of the status. */
const isAbsent = ({ response: { status, headers } }: Exchange): boolean =>
  absentStatuses.includes(status) && headerValue(headers, 'WWW-Authenticate') === undefined

/** A path can have several operations, and an operation can have several versions. */
const nameOf = ({ method, path, headers }: RawRequest): string =>
  [method, path, headerValue(headers, 'Accept')].join(' ')

type Send = (request: RawRequest) => Promise<Exchange>

/** Requests without credentials for which the target returns a challenge. */
export interface UnauthenticatedProbes {
  /** The request that returned a challenge, or the first request if none is known to. */
  current(): RawRequest
  /**
   * Sends the current request without credentials. If the target doesn't have the resource, tries the other requests
   * in order until one returns 401, and continues with that one. The search happens only once per run.
   *
   * @returns The response with a challenge. If there is none, returns a response from an existing resource, or else
   * the first response.
   */
  findChallenge(send: Send): Promise<Exchange>
  /** Like `findChallenge`, but for when the current request has already been sent. */
  challengeAfter(exchange: Exchange, send: Send): Promise<Exchange>
}

/** Creates probes from requests, which are tried in the given order. */
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
      // A challenge can be used only once, so each caller requests its own.
      return isFirst ? found : send(current)
    },
  }
  return unauthenticatedProbes
}
