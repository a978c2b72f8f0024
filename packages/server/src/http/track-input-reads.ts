import { trackReads } from '../world/read-tracking.ts'
import type { RequestContext } from './request-context.ts'

/** Read before an operation is asked. */
const readByOthers = ['envelope', 'pretty', 'itemsPerPage', 'pageNum', 'includeCount']

/** Lets the sandbox know which members of body and query an operation looks at. */
export function trackInputReads(context: RequestContext): void {
  if (context.body === undefined && Object.keys(context.query).length === 0) return
  const body = trackReads(context.body)
  const query = trackReads(context.query)
  context.body = body.value
  context.query = Object(query.value)
  context.unread = () => [
    ...body.unread(),
    ...query
      .unread()
      .map((pointer) => pointer.slice(1))
      .filter((name) => !readByOthers.includes(name)),
  ]
}
