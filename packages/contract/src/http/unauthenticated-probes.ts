import { type Exchange, headerValue, type RawRequest } from './exchange.ts'
import { NoResponse } from './transport.ts'

/** The statuses of a target that doesn't have a resource. They don't show whether the credentials are valid. */
export const absentStatuses: readonly number[] = [404, 405, 406, 410, 501]

/** A challenge proves that the resource exists, regardless of the status. */
const isAbsent = ({ response: { status, headers } }: Exchange): boolean =>
  absentStatuses.includes(status) && headerValue(headers, 'WWW-Authenticate') === undefined

/** A path can have several operations, and an operation can have several versions. */
const nameOf = ({ method, path, headers }: RawRequest): string =>
  [method, path, headerValue(headers, 'Accept')].join(' ')

/** The last part of a path, which is the same in both generations. */
const lastOf = ({ path }: RawRequest): string => path.split('/').at(-1) ?? path

/**
 * The number of other requests to try if the first one gets no response. The number is small, because each of them may
 * take the whole timeout.
 */
const maxOthers = 2

/** Other requests, in case only the first request's operation doesn't respond. */
const othersThan = (first: RawRequest, probes: readonly RawRequest[]): RawRequest[] => {
  const byName = new Map([...probes].reverse().map((probe) => [lastOf(probe), probe]))
  byName.delete(lastOf(first))
  return [...byName.values()].reverse().slice(0, maxOthers)
}

/** Returns whether other requests may get a response even though this one didn't. */
const mayConcernOne = (error: unknown): boolean =>
  error instanceof NoResponse && !error.isUnreachable && /^(TIMEOUT|ECONNRESET)$/.test(error.code)

type Send = (request: RawRequest) => Promise<Exchange>

/** Requests without credentials. The target returns a challenge for each of them. */
export interface UnauthenticatedProbes {
  /** The request that returned a challenge, or the first request if no such request is known. */
  current(): RawRequest
  /**
   * Sends the current request. If it gets no response, tries requests for other operations, and makes the first one
   * that gets a response the current request.
   *
   * @throws NoResponse for the current request if the others get no response either.
   */
  findResponse(send: Send): Promise<Exchange>
  /**
   * Sends the current request without credentials. If the target doesn't have the resource, tries the other requests
   * in order until one returns 401, and continues with that one. The search happens only once per run.
   *
   * @returns The response with a challenge. If there is none, returns a response from an existing resource. If there is
   * none of those either, returns the first response.
   */
  findChallenge(send: Send): Promise<Exchange>
  /** Like `findChallenge`, but for a current request that has already been sent. */
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
    async findResponse(send) {
      try {
        return await send(current)
      } catch (error) {
        if (!mayConcernOne(error)) throw error
        for (const probe of othersThan(current, others)) {
          const exchange = await send(probe).catch(() => undefined)
          if (exchange === undefined) continue
          current = probe
          return exchange
        }
        throw error
      }
    },
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
