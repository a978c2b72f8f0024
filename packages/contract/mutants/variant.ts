import type { RequirementId } from '@svc-admin/types'
import type { Json } from '../src/document/json.ts'
import type { Result } from '../src/model/result.ts'
import { errorResponse, mapJson, onResponse, withHeader } from './mutant.ts'
import type { Interference, Sending } from './proxy.ts'

/** A change to the server's responses that the specification allows. */
export interface Variant {
  readonly name: string
  readonly make: () => Interference
  /**
   * The requirements where this variant deviates from our decision. `where decided` stands for all requirements that
   * are based on our decisions. The variant causes warnings for these requirements, but doesn't violate the
   * specification.
   */
  readonly warned?: readonly RequirementId[] | 'where decided'
  readonly sending?: Sending
}

const isWarned = ({ warned = [] }: Variant, { requirement }: Result): boolean =>
  warned === 'where decided' || warned.some((id) => id === requirement)

/**
 * Returns whether a result is a false alarm. If a variant deviates from our decisions, WARN is expected for the
 * requirements in `warned`, and LENIENT is expected for any requirement.
 */
export const isFalseAlarm = (variant: Variant, result: Result): boolean => {
  const { verdict } = result
  if (verdict === 'WARN') return !isWarned(variant, result)
  if (verdict === 'LENIENT') return variant.warned === undefined
  return verdict !== 'PASS' && verdict !== 'NOT APPLICABLE'
}

/**
 * Changes the JSON layout of bodies. Responses to `pretty=true` stay unchanged, because the specification defines their
 * layout.
 */
export const unlessPretty = (change: (body: Json) => Json) => () =>
  onResponse(
    (_, request) => !request.path.includes('pretty=true'),
    (response) => mapJson(response, change),
  )()

export const isTokenRequest = (path: string): boolean => path.includes('/oauth/')

/**
 * Rejects every 40th request with 429. Token requests are excluded, because the specification limits them separately.
 */
export const rateLimited = (retryAfter: string | undefined) => (): Interference => {
  let count = 0
  return async (request, forward) => {
    count += 1
    if (count % 40 !== 0 || isTokenRequest(request.path)) return forward(request)
    return withHeader(errorResponse(429, 'RATE_LIMITED', 'Too Many Requests'), 'Retry-After', retryAfter)
  }
}
