/**
 * What a response lacks or has instead, without the values that differ from place to place. Results with the same
 * difference on the same operation have the same cause. A difference that starts with `missing` has the same cause on
 * all operations.
 */
export type Difference = string

/** The expectation if no response came. */
export const expectedResponse = 'a response'

/** The beginning of the difference of a missing response. Its error code follows. */
const noResponseDifference = 'no response'

/** A missing response. Its code says why it is missing. */
export const noResponse = (code: string): Difference => `${noResponseDifference} (${code})`

/** Whether the difference is a missing response. */
export const isLost = ({ difference }: { readonly difference?: Difference }): boolean =>
  difference?.startsWith(noResponseDifference) ?? false

/** A field that a body lacks. */
export const missingField = (name: string): Difference => `missing ${name}`

/** An error body without a code. */
export const missingErrorCode: Difference = missingField('errorCode')

/** A success whose body isn't JSON. */
export const notJson: Difference = 'a body that is not JSON'

/** A response with a status of 500 or above, regardless of what was expected. */
export const serverError: Difference = 'a server error'

/** The difference between an expected rejection and a response. */
export const differenceFromRejection = (
  wanted: { readonly status: number; readonly code: string },
  { status, code = '' }: { readonly status: number; readonly code: string | undefined },
): Difference => {
  if (status >= 500) return serverError
  if (status === wanted.status && code === '') return missingErrorCode
  if (status < 300) return `accepted instead of ${wanted.status}`
  return `${wanted.status} ${wanted.code} → ${status} ${code}`.trimEnd()
}

/** The difference between an expected success and a response. */
export const differenceFromSuccess = (status: number, code = ''): Difference =>
  status >= 500 ? serverError : `a success → ${status} ${code}`.trimEnd()
