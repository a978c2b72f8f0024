/**
 * Describes how a response differs from the expected response, leaving out values that vary. Results for the same
 * operation with the same difference are assumed to have the same cause. A difference that starts with `missing` is
 * assumed to have the same cause in all operations.
 */
export type Difference = string

/** The expectation that is reported if there was no response. */
export const expectedResponse = 'a response'

/** The beginning of the difference for a missing response. The error code follows it. */
const noResponseDifference = 'no response'

/** The difference for a missing response. The code specifies why it is missing. */
export const noResponse = (code: string): Difference => `${noResponseDifference} (${code})`

/** The difference for a response that shows only that the target is too busy. */
export const overloaded: Difference = noResponse('OVERLOAD')

/** Whether the difference is a missing response. */
export const isLost = ({ difference }: { readonly difference?: Difference }): boolean =>
  difference?.startsWith(noResponseDifference) ?? false

/** The difference for a body that lacks a field. */
export const missingField = (name: string): Difference => `missing ${name}`

/** The difference for a field with a wrong value. */
export const anotherValue = (name: string): Difference => `another value of ${name}`

/** The difference for an error body without a code. */
export const missingErrorCode: Difference = missingField('errorCode')

/** The difference for a successful response whose body isn't JSON. */
export const notJson: Difference = 'a body that is not JSON'

/** The difference for a response with a status of 500 or above, regardless of what was expected. */
export const serverError: Difference = 'a server error'

/** The difference between the response and an expected rejection. */
export const differenceFromRejection = (
  wanted: { readonly status: number; readonly code: string },
  { status, code = '' }: { readonly status: number; readonly code: string | undefined },
): Difference => {
  if (status >= 500) return serverError
  if (status === wanted.status && code === '') return missingErrorCode
  if (status < 300) return `accepted instead of ${wanted.status}`
  return `${wanted.status} ${wanted.code} → ${status} ${code}`.trimEnd()
}

/** The difference between the response and an expected success. */
export const differenceFromSuccess = (status: number, code = ''): Difference =>
  status >= 500 ? serverError : `a success → ${status} ${code}`.trimEnd()
