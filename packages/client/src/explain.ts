import { type ShowCaller, showCaller } from './caller.ts'
import { ApiError } from './errors.ts'
import { errorResponse } from './response.ts'

/** The absolute target of the first link with `rel="help"`: RFC 8288 §3. */
const helpLink = /<(https?:[^>]*)>[^<]*;\s*rel="?(?:[^"<]* )?help(?![^",; ])/i

/** Adds the URL of its documentation to an error, if its response has one, and shows the caller in its stack. */
export const explain: ShowCaller = (error, library, operationId) => {
  if (error instanceof ApiError) {
    const link = errorResponse(error)?.response.headers.get('link') ?? ''
    Object.assign(error, { helpUrl: helpLink.exec(link)?.[1] })
  }
  return showCaller(error, library, operationId)
}
