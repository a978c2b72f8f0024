import type { Json } from '../document/json.ts'
import type { Authorization } from '../http/authorization.ts'
import type { Exchange, Header, RawRequest } from '../http/exchange.ts'
import type { Cell } from './api.ts'

export type Query = readonly (readonly [name: string, value: string])[]

/** A request for an operation, with the information that judges need. */
export interface Call {
  readonly cell: Cell
  readonly method: string
  /** The path as sent, without the query. */
  readonly path: string
  readonly query: Query
  readonly headers: readonly Header[]
  readonly body: string | undefined
  readonly as: Authorization
  /** Whether the method or path doesn't match the operation. In that case, other statuses are also valid. */
  readonly offRoute: boolean
}

/** Changes to a valid call. `null` removes a part that a valid call has. */
export interface CallChanges {
  readonly method?: string
  /** Path parameter values, before encoding. */
  readonly parameters?: Readonly<Record<string, string>>
  /** The whole path, sent without changes. */
  readonly rawPath?: string
  readonly query?: Query
  readonly accept?: string | null
  readonly contentType?: string | null
  readonly headers?: readonly Header[]
  /** The body as a value, which is encoded for the operation's media type. */
  readonly body?: Json
  /** The body as a text, sent without changes. */
  readonly rawBody?: string | null
  readonly as?: Authorization
  readonly offRoute?: boolean
}

/** The parts of a valid call to a cell's operation. */
export interface CallIngredients {
  readonly parameters: Readonly<Record<string, string>>
  readonly body: Json | undefined
  readonly as: Authorization
}

/** A cell's path from the server's root, with the parameter values filled in. */
export const pathOf = (
  { operation, version }: Cell,
  parameters: Readonly<Record<string, string>>,
): string => {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  )
  return operation.absolute ? path : version.prefix + path
}

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A path's values for a template's parameters. The path may start with a version's prefix and end with a query. */
export const valuesIn = (path: string, template: string): Record<string, string> => {
  const segments = path.replace(/\?.*$/, '').split('/').reverse()
  const names = template.split('/').reverse()
  return Object.fromEntries(
    names.flatMap((segment, at): [string, string][] => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      return name === undefined ? [] : [[name, safeDecode(segments[at] ?? '')]]
    }),
  )
}

const formEncoded = (body: Json): string => {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString()
}

/** Encodes a body for its media type. */
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

/** Builds a call from the parts of a valid call, plus changes. */
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

/** The request for a call. */
export const requestOf = (call: Call): RawRequest => {
  const query = call.query
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  const path = query === '' ? call.path : `${call.path}?${query}`
  return { method: call.method, path, headers: call.headers, body: call.body }
}

/** A call and its exchange, as input for judges. */
export interface Recorded {
  readonly call: Call
  readonly exchange: Exchange
}

/** A call without a response, and the last request that was sent for it. */
export interface Unanswered {
  readonly call: Call
  readonly request: RawRequest
}
