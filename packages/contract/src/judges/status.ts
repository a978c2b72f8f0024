import { isError, type Judge } from './judge.ts'

/** Every refusal has a status that the document of the resolved version declares for the operation. */
export const statusDeclared: Judge = {
  requirement: 'errors.status-declared',
  judge(seen) {
    const { call, cell, toldStatus } = seen
    if (call.offRoute || (!isError(seen) && toldStatus < 300)) return 'nothing'
    if (cell.definition.responses.has(toldStatus)) return 'kept'
    const declared = [...cell.definition.responses.keys()].join(', ')
    return { expected: `one of the statuses ${declared}`, actual: `status ${toldStatus}` }
  },
}

/** Every success has the one status that the operation has. */
export const successStatus: Judge = {
  requirement: 'errors.success-status',
  judge(seen) {
    const { call, cell, toldStatus } = seen
    if (call.offRoute || isError(seen) || toldStatus >= 300) return 'nothing'
    if (toldStatus === cell.row.success) return 'kept'
    return { expected: `status ${cell.row.success}`, actual: `status ${toldStatus}` }
  },
}

/** Whatever the input, the server does not fail on it. */
export const noServerError: Judge = {
  requirement: 'errors.never-500-on-input',
  judge({ status }) {
    // 503 is an honest answer to load, and says when to come back.
    if (status < 500 || status === 503) return 'kept'
    return { expected: 'no status of 500 or above', actual: `status ${status}` }
  },
}

/** The HTTP status stays what it was in an envelope, but for a success without a body, which becomes 200. */
export const envelopeStatus: Judge = {
  requirement: 'envelope.status-kept',
  judge(seen) {
    if (seen.enveloped === undefined) return 'nothing'
    const wanted = !isError(seen) && !seen.cell.row.hasContent ? 200 : seen.toldStatus
    if (seen.status === wanted) return 'kept'
    return {
      expected: `HTTP status ${wanted} for the told status ${seen.toldStatus}`,
      actual: `status ${seen.status}`,
    }
  },
}
