import type { Trial } from '../check/trial.ts'
import type { Exchange } from '../http/exchange.ts'
import { describeResponse, expectServed, isSuccess } from '../model/expect.ts'
import { Untestable } from '../model/signals.ts'
import { allowedHolder, authorizationOf, rolesFor, type Scheme } from '../run-context/holders.ts'

/**
 * These statuses indicate a problem with the caller (RFC 9110 §15.5.2, §15.5.4). All other errors indicate a problem
 * with the request.
 */
const ofCaller: readonly number[] = [401, 403]

/** Sends the same valid request with credentials for the other scheme, if the target file contains any. */
const otherwise = async (trial: Trial, scheme: Scheme): Promise<Exchange | undefined> => {
  const { context, cell } = trial
  try {
    const other = scheme === 'digest' ? 'bearer' : 'digest'
    return await trial.try({
      as: authorizationOf(allowedHolder(context.target, cell), other, rolesFor(cell)),
    })
  } catch (error) {
    if (error instanceof Untestable) return undefined
    throw error
  }
}

/**
 * Expects the target to accept credentials with this scheme. If the request fails with all credentials, the scheme
 * might not be the cause, and another check reports the error.
 *
 * @throws Untestable if the request fails with all credentials.
 */
export const expectAccepted = async (trial: Trial, scheme: Scheme): Promise<void> => {
  const { context, cell } = trial
  const as = authorizationOf(allowedHolder(context.target, cell), scheme, rolesFor(cell))
  const exchange = await trial.try({ as })
  if (isSuccess(exchange)) return
  if (ofCaller.includes(exchange.response.status)) return expectServed(exchange)
  const other = await otherwise(trial, scheme)
  if (other !== undefined && isSuccess(other))
    return expectServed(exchange, 'a success, as with the other scheme')
  throw new Untestable(
    `a valid call that succeeds, to test whether credentials are accepted (${cell.operation.id} got ${describeResponse(exchange)})`,
  )
}
