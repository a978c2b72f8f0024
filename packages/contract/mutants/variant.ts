import type { RequirementId } from '@svc-admin/types'
import type { Json } from '../src/document/json.ts'
import type { Result } from '../src/model/result.ts'
import { errorResponse, mapJson, onResponse, withHeader } from './mutant.ts'
import type { Interference, Sending } from './proxy.ts'

/** A legal way to respond differently. */
export interface Variant {
  readonly name: string
  readonly make: () => Interference
  /**
   * Requirements for which the variant deviates from our decision, or all of them. Such a target gets warnings and
   * violates no requirement from the source.
   */
  readonly warned?: readonly RequirementId[] | 'where decided'
  readonly sending?: Sending
}

const isWarned = ({ warned = [] }: Variant, { requirement }: Result): boolean =>
  warned === 'where decided' || warned.some((id) => id === requirement)

/**
 * Whether a result is a false alarm on a variant. WARN is expected where the variant deviates from our decisions, and
 * LENIENT on any variant that does.
 */
export const isFalseAlarm = (variant: Variant, result: Result): boolean => {
  const { verdict } = result
  if (verdict === 'WARN') return !isWarned(variant, result)
  if (verdict === 'LENIENT') return variant.warned === undefined
  return verdict !== 'PASS' && verdict !== 'NOT APPLICABLE'
}

/** With pretty=true the layout is specified, so bodies are only reformatted without it. */
export const unlessPretty = (change: (body: Json) => Json) => () =>
  onResponse(
    (_, request) => !request.path.includes('pretty=true'),
    (response) => mapJson(response, change),
  )()

export const isTokenRequest = (path: string): boolean => path.includes('/oauth/')

/** Sometimes delays a request with a 429. The token endpoint has its own specified limit. */
export const rateLimited = (retryAfter: string | undefined) => (): Interference => {
  let count = 0
  return async (request, forward) => {
    count += 1
    if (count % 40 !== 0 || isTokenRequest(request.path)) return forward(request)
    return withHeader(errorResponse(429, 'RATE_LIMITED', 'Too Many Requests'), 'Retry-After', retryAfter)
  }
}
