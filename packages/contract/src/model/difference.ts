/**
 * What a response lacks or contains instead, without the values that vary between places. Results for the same
 * operation with the same difference have the same cause. If a difference starts with `missing`, it has the same
 * cause on all operations.
 */
export type Difference = string

/** The expectation to report if there was no response. */
export const expectedResponse = 'a response'

/** How the difference for a missing response begins. The error code follows. */
const noResponseDifference = 'no response'

/** The difference for a missing response. The code says why the response is missing. */
export const noResponse = (code: string): Difference => `${noResponseDifference} (${code})`

/** Whether the difference says that the response is missing. */
export const isLost = ({ difference }: { readonly difference?: Difference }): boolean =>
  difference?.startsWith(noResponseDifference) ?? false

/** The difference for a body that lacks a field. */
export const missingField = (name: string): Difference => `missing ${name}`

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
