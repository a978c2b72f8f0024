import { isArray, isObject, type Json, numberAt, objectAt } from '../document/json.ts'
import { type Cell, successSchemaOf } from '../model/api.ts'

/** The status and the content in an envelope. */
export interface Opened {
  readonly status: number
  /** The resource, list or error. `undefined` if it can't be found in the envelope. */
  readonly content: Json | undefined
}

/** Returns whether the operation returns a plain array instead of a page. */
export const returnsArray = (cell: Cell): boolean => successSchemaOf(cell)?.value.type === 'array'

/** Determines whether the operation's response is a page. */
export const returnsPage = (cell: Cell): boolean =>
  'results' in objectAt(successSchemaOf(cell)?.value, 'properties')

/**
 * Opens an envelope: `{status, content}` contains a single resource or an error, and `{status, results, …}`
 * contains a list. The name `content` is our decision, so other names are also possible. Returns `undefined` if the
 * body isn't an envelope.
 */
export const openEnvelope = (cell: Cell, body: Json | undefined): Opened | undefined => {
  const status = numberAt(body, 'status')
  if (!isObject(body) || status === undefined) return undefined
  if (body.content !== undefined) return { status, content: body.content }
  const { status: _, ...rest } = body
  if (isArray(body.results)) return { status, content: returnsArray(cell) ? body.results : rest }
  const [content, ...others] = Object.values(rest).filter(
    (value) => isObject(value) || (isArray(value) && returnsArray(cell)),
  )
  return { status, content: others.length === 0 ? content : undefined }
}
