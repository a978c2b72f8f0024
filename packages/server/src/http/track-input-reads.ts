import { trackReads } from '../world/read-tracking.ts'
import type { RequestContext } from './request-context.ts'

/** The parameters that the server reads for every operation. */
const readByServer = ['envelope', 'pretty', 'itemsPerPage', 'pageNum', 'includeCount']

/** Tracks which body fields and query parameters an operation reads. */
export function trackInputReads(context: RequestContext): void {
  const body = trackReads(context.body)
  context.body = body.value
  context.unread = body.unread
  if (Object.keys(context.query).length === 0) return
  const query = trackReads(context.query)
  context.query = query.value
  context.unread = () => [
    ...body.unread(),
    ...query
      .unread()
      .map((pointer) => pointer.slice(1))
      .filter((name) => !readByServer.includes(name)),
  ]
}
