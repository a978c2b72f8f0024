import type { RequirementId } from '@svc-admin/types'
import type { Json } from '../src/document/json.ts'
import type { Result } from '../src/engine/result.ts'
import { errorResponse, mapJson, onResponse, withHeader } from './mutant.ts'
import type { Interference, Sending } from './proxy.ts'

/** A legal way to answer otherwise. */
export interface Variant {
  readonly name: string
  readonly make: () => Interference
  /**
   * Where it is other than was decided: the requirements that say so, or every decided one. Whoever does so is warned,
   * and no stated promise is broken by it.
   */
  readonly warned?: readonly RequirementId[] | 'where decided'
  readonly sending?: Sending
}

const isWarned = ({ warned = [] }: Variant, { requirement }: Result): boolean =>
  warned === 'where decided' || warned.some((id) => id === requirement)

/**
 * Whether a result says something against a target that answers in the way of a variant: all but a warning does, and
 * that something unusual is legal is told to those alone who decided otherwise.
 */
export const isFalseAlarm = (variant: Variant, result: Result): boolean => {
  const { verdict } = result
  if (verdict === 'WARN') return !isWarned(variant, result)
  if (verdict === 'LENIENT') return variant.warned === undefined
  return verdict !== 'PASS' && verdict !== 'NOT APPLICABLE'
}

/** Layout is promised with pretty=true, so bodies are written anew only without it. */
export const unlessPretty = (change: (body: Json) => Json) => () =>
  onResponse(
    (_, request) => !request.path.includes('pretty=true'),
    (response) => mapJson(response, change),
  )()

export const isTokenRequest = (path: string): boolean => path.includes('/oauth/')

/** Now and then, a request is put off. The token endpoint has a limit of its own, which is promised. */
export const rateLimited = (retryAfter: string | undefined) => (): Interference => {
  let count = 0
  return async (request, forward) => {
    count += 1
    if (count % 40 !== 0 || isTokenRequest(request.path)) return forward(request)
    return withHeader(errorResponse(429, 'RATE_LIMITED', 'Too Many Requests'), 'Retry-After', retryAfter)
  }
}
