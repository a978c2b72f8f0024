import { serverError } from '../model/difference.ts'
import { isError, type Judge } from './judge.ts'

/** The document of the resolved version declares the status of every error that the operation returns. */
export const statusDeclared: Judge = {
  requirement: 'errors.status-declared',
  judge(judged) {
    const { call, cell, effectiveStatus } = judged
    if (call.offRoute || (!isError(judged) && effectiveStatus < 300)) return 'not applicable'
    if (cell.definition.responses.has(effectiveStatus)) return 'passed'
    const declared = [...cell.definition.responses.keys()].join(', ')
    return {
      expected: `one of the statuses ${declared}`,
      actual: `status ${effectiveStatus}`,
      ...(effectiveStatus >= 500 && { difference: serverError }),
    }
  },
}

/** The status of a successful response is the operation's success status. */
export const successStatus: Judge = {
  requirement: 'errors.success-status',
  judge(judged) {
    const { call, cell, effectiveStatus } = judged
    if (call.offRoute || isError(judged) || effectiveStatus >= 300) return 'not applicable'
    if (effectiveStatus === cell.row.success) return 'passed'
    return { expected: `status ${cell.row.success}`, actual: `status ${effectiveStatus}` }
  },
}

/** No request causes a server error. */
export const noServerError: Judge = {
  requirement: 'errors.never-500-on-input',
  judge({ status }) {
    // A busy server may return 503. A separate judge checks its `Retry-After` header.
    if (status < 500 || status === 503) return 'passed'
    return { expected: 'a status below 500', actual: `status ${status}`, difference: serverError }
  },
}

/**
 * An envelope doesn't change the HTTP status. If a successful response normally has no body, the enveloped response has
 * HTTP status 200.
 */
export const envelopeStatus: Judge = {
  requirement: 'envelope.status-kept',
  judge(judged) {
    if (judged.enveloped === undefined) return 'not applicable'
    const wanted = !isError(judged) && !judged.cell.row.hasContent ? 200 : judged.effectiveStatus
    if (judged.status === wanted) return 'passed'
    return {
      expected: `HTTP status ${wanted} for status ${judged.effectiveStatus} in the envelope`,
      actual: `status ${judged.status}`,
    }
  },
}
