import { isArray, isObject, type Json, numberAt } from '../document/json.ts'
import type { Cell } from '../model/api.ts'

/** An envelope's content. */
export interface Opened {
  readonly status: number
  readonly content: Json
}

/** Whether the operation returns a bare array. */
export const returnsArray = ({ definition, row }: Cell): boolean => {
  const schema = definition.responses.get(row.success)?.content.get(row.mediaType)
  return schema?.value.type === 'array'
}

/** Whether the operation returns pages. */
export const returnsPage = ({ definition, row }: Cell): boolean => {
  const schema = definition.responses.get(row.success)?.content.get(row.mediaType)
  return isObject(schema?.value.properties) && 'results' in schema.value.properties
}

/**
 * Extracts an envelope's content: `{status, content}` for a single resource or an error, and `{status, results, …}`
 * for a list. Returns `undefined` if there is no envelope.
 */
export const openEnvelope = (cell: Cell, body: Json | undefined): Opened | undefined => {
  const status = numberAt(body, 'status')
  if (!isObject(body) || status === undefined) return undefined
  if (body.content !== undefined) return { status, content: body.content }
  if (!isArray(body.results)) return undefined
  const { status: _, ...list } = body
  return { status, content: returnsArray(cell) ? body.results : list }
}
