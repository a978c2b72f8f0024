import { watch } from '../world/unread.ts'
import type { Exchange } from './exchange.ts'

/** Read before an operation is asked. */
const readByOthers = ['envelope', 'pretty', 'itemsPerPage', 'pageNum', 'includeCount']

/** Lets the sandbox know which members of body and query an operation looks at. */
export function watchInput(exchange: Exchange): void {
  if (exchange.body === undefined && Object.keys(exchange.query).length === 0) return
  const body = watch(exchange.body)
  const query = watch(exchange.query)
  exchange.body = body.value
  exchange.query = Object(query.value)
  exchange.unread = () => [
    ...body.unread(),
    ...query
      .unread()
      .map((pointer) => pointer.slice(1))
      .filter((name) => !readByOthers.includes(name)),
  ]
}
