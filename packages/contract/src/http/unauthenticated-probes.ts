import { type Exchange, headerValue, type RawRequest } from './exchange.ts'
import { NoResponse } from './transport.ts'

/**
 * These statuses mean that the target doesn't have the resource. The statuses don't show whether the credentials are
 * valid.
 */
export const absentStatuses: readonly number[] = [404, 405, 406, 410, 501]

/**
 * Returns whether a response shows that the resource doesn't exist. A challenge shows that the resource
 * exists, regardless of the status.
 */
const isAbsent = ({ response: { status, headers } }: Exchange): boolean =>
  absentStatuses.includes(status) && headerValue(headers, 'WWW-Authenticate') === undefined

/**
 * Returns a name that identifies a request. A path can have several operations, and an operation can have several
 * versions.
 */
const nameOf = ({ method, path, headers }: RawRequest): string =>
  [method, path, headerValue(headers, 'Accept')].join(' ')

/** Returns the last part of a path. The last part is the same in both generations. */
const lastOf = ({ path }: RawRequest): string => path.split('/').at(-1) ?? path

/**
 * The number of other requests to try if the first request gets no response. Each request may take as long as the
 * timeout.
 */
const maxOthers = 2

/** Returns requests for other operations, because the problem may affect only the first request's operation. */
const othersThan = (first: RawRequest, probes: readonly RawRequest[]): RawRequest[] => {
  const byName = new Map([...probes].reverse().map((probe) => [lastOf(probe), probe]))
  byName.delete(lastOf(first))
  return [...byName.values()].reverse().slice(0, maxOthers)
}

/** Returns whether other requests may get a response even though this request didn't. */
const mayConcernOne = (error: unknown): boolean =>
  error instanceof NoResponse && !error.isUnreachable && /^(TIMEOUT|ECONNRESET)$/.test(error.code)

type Send = (request: RawRequest) => Promise<Exchange>

/** Requests without credentials, which should return a challenge. */
export interface UnauthenticatedProbes {
  /** Returns the request that got a challenge. Before the first challenge, returns the first request. */
  current(): RawRequest
  /**
   * Sends the current request. If there is no response, tries other operations. The first request with a response
   * becomes the current request.
   *
   * @throws NoResponse for the current request if the other requests don't get a response either.
   */
  findResponse(send: Send): Promise<Exchange>
  /**
   * Sends the current request. If the target doesn't have the requested resource, tries the other requests in order.
   * The first request that returns 401 becomes the current request. The search happens only once per run.
   *
   * @returns The response with a challenge. If there is none, returns the response of an existing resource,
   * or else the first response.
   */
  findChallenge(send: Send): Promise<Exchange>
  /** Like `findChallenge`, but for a current request that has already been sent. */
  challengeAfter(exchange: Exchange, send: Send): Promise<Exchange>
}

/** Creates probes that try the given requests in order. */
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
      // A challenge can be used only once, so each caller needs its own.
      return isFirst ? found : send(current)
    },
  }
  return unauthenticatedProbes
}
