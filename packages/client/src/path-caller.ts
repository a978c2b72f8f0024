import { ApiError } from './errors.ts'
import type { Run } from './operation.ts'
import type { OperationRow } from './operation-row.ts'
import type { CallOptions } from './options.ts'
import type { Arguments } from './request.ts'
import { errorResponse, parseRecord, unwrap } from './response.ts'

/** Arguments as openapi-fetch places them, beside the settings of the call. */
interface PathInit extends CallOptions {
  readonly params?: { readonly path?: Arguments; readonly query?: Arguments }
  readonly body?: unknown
}

/** What openapi-fetch answers with. */
interface PathResult {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

type PathCall = (path: string, init?: PathInit) => Promise<PathResult>

/** `GET`, `PUT`, `POST`, `PATCH` and `DELETE` by path, for those who come from openapi-fetch. */
export function createPathCalls(run: Run, rows: readonly OperationRow[]): Record<string, PathCall> {
  const call =
    (method: string): PathCall =>
    async (path, init = {}) => {
      const row = rows.find((each) => each.method === method && each.path === path)
      if (!row) throw new TypeError(`no operation is ${method} ${path}`)
      const { params, body, ...options } = init
      try {
        const args = { ...params?.path, ...params?.query, body }
        const { data, response } = await run(row, args, options)
        return { data, response }
      } catch (error) {
        // What the token endpoint answers is no answer to this call, and has another shape.
        if (!(error instanceof ApiError) || error.operationId !== row.id) throw error
        const answer = errorResponse(error)
        if (!answer) throw error
        return { error: errorBody(error, answer.text), response: answer.response }
      }
    }
  const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE']
  return Object.fromEntries(methods.map((method) => [method, call(method)]))
}

/**
 * The error as the documents have it. A proxy, or a server that has broken down, may answer with a text or with nothing:
 * then what is known stands in the same members, so that an error is never `undefined`.
 */
function errorBody({ status, errorCode, reason }: ApiError, text: string): object {
  const body: { readonly error?: unknown } = Object(unwrap(parseRecord(text)))
  if (body.error !== undefined) return body
  return { error: status, errorCode: errorCode ?? '', reason: reason ?? '', detail: text }
}
