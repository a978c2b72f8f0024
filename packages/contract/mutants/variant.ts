import type { RequirementId } from '@svc-admin/types'
import type { Json } from '../src/document/json.ts'
import type { Result } from '../src/model/result.ts'
import { errorResponse, mapJson, onResponse, withHeader } from './mutant.ts'
import type { Interference, Sending } from './proxy.ts'

/** A valid variation of a server's responses. */
export interface Variant {
  readonly name: string
  readonly make: () => Interference
  /**
   * The requirements in which the variant differs from our decisions, or `where decided` for all of them. Such a
   * target gets warnings, but violates no requirement from the specification.
   */
  readonly warned?: readonly RequirementId[] | 'where decided'
  readonly sending?: Sending
}

const isWarned = ({ warned = [] }: Variant, { requirement }: Result): boolean =>
  warned === 'where decided' || warned.some((id) => id === requirement)

/**
 * Returns whether a result for a variant is a false alarm. WARN is expected where the variant differs from our
 * decisions, and LENIENT for every variant that differs from any of them.
 */
export const isFalseAlarm = (variant: Variant, result: Result): boolean => {
  const { verdict } = result
  if (verdict === 'WARN') return !isWarned(variant, result)
  if (verdict === 'LENIENT') return variant.warned === undefined
  return verdict !== 'PASS' && verdict !== 'NOT APPLICABLE'
}

/** The specification defines the layout for `pretty=true`, so bodies are reformatted only when it isn't set. */
export const unlessPretty = (change: (body: Json) => Json) => () =>
  onResponse(
    (_, request) => !request.path.includes('pretty=true'),
    (response) => mapJson(response, change),
  )()

export const isTokenRequest = (path: string): boolean => path.includes('/oauth/')

/** Returns 429 for some requests. Token requests are excluded, because the specification gives them their own limit. */
export const rateLimited = (retryAfter: string | undefined) => (): Interference => {
  let count = 0
  return async (request, forward) => {
    count += 1
    if (count % 40 !== 0 || isTokenRequest(request.path)) return forward(request)
    return withHeader(errorResponse(429, 'RATE_LIMITED', 'Too Many Requests'), 'Retry-After', retryAfter)
  }
}
