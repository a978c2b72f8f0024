import type { Json } from '../document/json.ts'
import type { Authorization } from '../http/authorization.ts'
import type { Header, RawRequest } from '../http/exchange.ts'
import type { Cell } from './api.ts'

export type Query = readonly (readonly [name: string, value: string])[]

/** A request of an operation, with what the kit needs to judge the answer. */
export interface Call {
  readonly cell: Cell
  readonly method: string
  /** Path without query, as it goes out. */
  readonly path: string
  readonly query: Query
  readonly headers: readonly Header[]
  readonly body: string | undefined
  readonly as: Authorization
  /** The request is no request of the operation (another method or path), so other statuses are right too. */
  readonly offRoute: boolean
}

/** What differs from a good call. `null` leaves something out that a good call has. */
export interface CallChanges {
  readonly method?: string
  /** Values of path parameters, which are encoded. */
  readonly parameters?: Readonly<Record<string, string>>
  /** The whole path, as it goes out. */
  readonly rawPath?: string
  readonly query?: Query
  readonly accept?: string | null
  readonly contentType?: string | null
  readonly headers?: readonly Header[]
  /** A value to encode as the media type asks. */
  readonly body?: Json
  /** The body as it goes out. */
  readonly rawBody?: string | null
  readonly as?: Authorization
  readonly offRoute?: boolean
}

/** What a good call of a cell needs. */
export interface CallIngredients {
  readonly parameters: Readonly<Record<string, string>>
  readonly body: Json | undefined
  readonly as: Authorization
}

/** Path of a cell from the root of the server, with values in the place of parameters. */
export const pathOf = (
  { operation, version }: Cell,
  parameters: Readonly<Record<string, string>>,
): string => {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  )
  return operation.absolute ? path : version.prefix + path
}

const formEncoded = (body: Json): string => {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString()
}

/** A body as its media type asks. */
export const encodeBody = (mediaType: string | undefined, body: Json): string =>
  mediaType === 'application/x-www-form-urlencoded' ? formEncoded(body) : JSON.stringify(body)

const chosen = (change: string | null | undefined, good: string | undefined): string | undefined =>
  change === undefined ? good : (change ?? undefined)

const headersOf = (cell: Cell, changes: CallChanges, body: string | undefined): Header[] => {
  const headers: Header[] = []
  const accept = chosen(changes.accept, cell.row.mediaType)
  const contentType = chosen(changes.contentType, body === undefined ? undefined : cell.row.requestMediaType)
  if (accept !== undefined) headers.push(['Accept', accept])
  if (contentType !== undefined) headers.push(['Content-Type', contentType])
  return [...headers, ...(changes.headers ?? [])]
}

/** Puts a call together from what a good one needs and what shall differ. */
export const buildCall = (cell: Cell, needs: CallIngredients, changes: CallChanges = {}): Call => {
  const value = changes.body ?? needs.body
  const encoded = value === undefined ? undefined : encodeBody(cell.row.requestMediaType, value)
  const body = chosen(changes.rawBody, encoded)
  return {
    cell,
    method: changes.method ?? cell.operation.method,
    path: changes.rawPath ?? pathOf(cell, { ...needs.parameters, ...changes.parameters }),
    query: changes.query ?? [],
    headers: headersOf(cell, changes, body),
    body,
    as: changes.as ?? needs.as,
    offRoute: changes.offRoute ?? false,
  }
}

/** The request of a call, as it goes out. */
export const requestOf = (call: Call): RawRequest => {
  const query = call.query
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  const path = query === '' ? call.path : `${call.path}?${query}`
  return { method: call.method, path, headers: call.headers, body: call.body }
}
