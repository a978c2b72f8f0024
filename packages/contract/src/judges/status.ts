import { isError, type Judge } from './judge.ts'

/** Every refusal has a status that the document of the resolved version declares for the operation. */
export const statusDeclared: Judge = {
  requirement: 'errors.status-declared',
  judge(judged) {
    const { call, cell, effectiveStatus } = judged
    if (call.offRoute || (!isError(judged) && effectiveStatus < 300)) return 'not applicable'
    if (cell.definition.responses.has(effectiveStatus)) return 'passed'
    const declared = [...cell.definition.responses.keys()].join(', ')
    return { expected: `one of the statuses ${declared}`, actual: `status ${effectiveStatus}` }
  },
}

/** Every success has the one status that the operation has. */
export const successStatus: Judge = {
  requirement: 'errors.success-status',
  judge(judged) {
    const { call, cell, effectiveStatus } = judged
    if (call.offRoute || isError(judged) || effectiveStatus >= 300) return 'not applicable'
    if (effectiveStatus === cell.row.success) return 'passed'
    return { expected: `status ${cell.row.success}`, actual: `status ${effectiveStatus}` }
  },
}

/** Whatever the input, the server does not fail on it. */
export const noServerError: Judge = {
  requirement: 'errors.never-500-on-input',
  judge({ status }) {
    // 503 is an honest answer to load, and says when to come back.
    if (status < 500 || status === 503) return 'passed'
    return { expected: 'no status of 500 or above', actual: `status ${status}` }
  },
}

/** The HTTP status stays what it was in an envelope, but for a success without a body, which becomes 200. */
export const envelopeStatus: Judge = {
  requirement: 'envelope.status-kept',
  judge(judged) {
    if (judged.enveloped === undefined) return 'not applicable'
    const wanted = !isError(judged) && !judged.cell.row.hasContent ? 200 : judged.effectiveStatus
    if (judged.status === wanted) return 'passed'
    return {
      expected: `HTTP status ${wanted} for the told status ${judged.effectiveStatus}`,
      actual: `status ${judged.status}`,
    }
  },
}
