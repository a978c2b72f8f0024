/**
 * Describes how a response differs from the expected response, without values that vary. Results of the same operation
 * with the same difference are reported as one finding. If the difference starts with `missing`, results of different
 * operations are also combined.
 */
export type Difference = string

/** The expected text in a result if there was no response. */
export const expectedResponse = 'a response'

/** The beginning of the difference if there was no response. An error code follows in parentheses. */
const noResponseDifference = 'no response'

/** The difference for a response that didn't arrive. The error code contains the reason. */
export const noResponse = (code: string): Difference => `${noResponseDifference} (${code})`

/** The difference for a response that only shows that the target is overloaded. */
export const overloaded: Difference = noResponse('OVERLOAD')

export const isLost = ({ difference }: { readonly difference?: Difference }): boolean =>
  difference?.startsWith(noResponseDifference) ?? false

export const missingField = (name: string): Difference => `missing ${name}`

export const anotherValue = (name: string): Difference => `another value of ${name}`

export const missingErrorCode: Difference = missingField('errorCode')

export const notJson: Difference = 'a body that is not JSON'

/** The difference for a status of 500 or above, regardless of what was expected. */
export const serverError: Difference = 'a server error'

/** Describes how a response differs from an expected error. */
export const differenceFromRejection = (
  wanted: { readonly status: number; readonly code: string },
  { status, code = '' }: { readonly status: number; readonly code: string | undefined },
): Difference => {
  if (status >= 500) return serverError
  if (status === wanted.status && code === '') return missingErrorCode
  if (status < 300) return `accepted instead of ${wanted.status}`
  return `${wanted.status} ${wanted.code} → ${status} ${code}`.trimEnd()
}

/** Describes how a response differs from an expected success. */
export const differenceFromSuccess = (status: number, code = ''): Difference =>
  status >= 500 ? serverError : `a success → ${status} ${code}`.trimEnd()
