import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorCodes } from '@svc-admin/types'

export interface ProblemMore {
  /** The invalid inputs, as parameter names or JSON Pointers into the body. */
  readonly parameters?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** An API error. The status comes from the error codes in `@svc-admin/types`. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly more: ProblemMore

  constructor(code: ErrorCode, detail: string, more: ProblemMore = {}) {
    super(detail)
    this.code = code
    this.more = more
  }

  get status(): number {
    return errorCodes[this.code].status
  }

  body(): object {
    const { parameters } = this.more
    return {
      error: this.status,
      errorCode: this.code,
      reason: STATUS_CODES[this.status] ?? '',
      detail: this.message,
      ...(parameters && { parameters }),
    }
  }
}

export const invalid = (detail: string, ...parameters: string[]): Problem =>
  new Problem('VALIDATION_ERROR', detail, { parameters })

export const notFound = (what: string, id: string): Problem =>
  new Problem('RESOURCE_NOT_FOUND', `No ${what} has the ID ${id}.`)
