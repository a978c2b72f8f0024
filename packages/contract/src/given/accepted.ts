import { describeResponse, expectSuccess, isSuccess } from '../engine/expect.ts'
import { Untestable } from '../engine/signals.ts'
import type { Trial } from '../engine/trial.ts'
import type { Exchange } from '../http/exchange.ts'
import { allowedHolder, authorizationOf, rolesFor, type Scheme } from '../run-context/holders.ts'

/** What is said of the caller (RFC 9110 §15.5.2, §15.5.4); any other status says something of the request. */
const ofCaller: readonly number[] = [401, 403]

/** The same good call by the other scheme, where there are credentials for that. */
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
 * Credentials of a scheme are accepted. What fails with any credentials fails for another reason, which is for the rule
 * to tell that it breaks: of the credentials, nobody learns anything then.
 *
 * @throws Untestable where the call fails, whoever makes it.
 */
export const expectAccepted = async (trial: Trial, scheme: Scheme): Promise<void> => {
  const { context, cell } = trial
  const as = authorizationOf(allowedHolder(context.target, cell), scheme, rolesFor(cell))
  const exchange = await trial.try({ as })
  if (isSuccess(exchange)) return
  if (ofCaller.includes(exchange.response.status)) return expectSuccess(exchange)
  const other = await otherwise(trial, scheme)
  if (other !== undefined && isSuccess(other))
    return expectSuccess(exchange, 'a success, as by the other scheme')
  throw new Untestable(
    `a good call that succeeds, to see whether credentials are accepted (${cell.operation.id} got ${describeResponse(exchange)})`,
  )
}
