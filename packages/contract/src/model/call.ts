import type { Json } from '../document/json.ts'
import type { Authorization } from '../http/authorization.ts'
import type { Exchange, Header, RawRequest } from '../http/exchange.ts'
import type { Cell } from './api.ts'

export type Query = readonly (readonly [name: string, value: string])[]

/** A request for an operation, with the information that judges need. */
export interface Call {
  readonly cell: Cell
  readonly method: string
  /** The path without the query, exactly as it is sent. */
  readonly path: string
  readonly query: Query
  readonly headers: readonly Header[]
  readonly body: string | undefined
  readonly as: Authorization
  /** Whether the method or path doesn't match the operation, so that statuses of other operations are also valid. */
  readonly offRoute: boolean
}

/** Changes to a valid call. `null` removes a part of the valid call. */
export interface CallChanges {
  readonly method?: string
  /** Path parameter values. The values are encoded before the call is sent. */
  readonly parameters?: Readonly<Record<string, string>>
  /** A path to send unchanged. */
  readonly rawPath?: string
  readonly query?: Query
  readonly accept?: string | null
  readonly contentType?: string | null
  readonly headers?: readonly Header[]
  /** A body to send unchanged. */
  readonly body?: Json
  /** The body as text, which is sent unchanged. */
  readonly rawBody?: string | null
  readonly as?: Authorization
  readonly offRoute?: boolean
}

export interface CallIngredients {
  readonly parameters: Readonly<Record<string, string>>
  readonly body: Json | undefined
  readonly as: Authorization
}

/** Returns an operation's path relative to the server's root, with the given parameter values. */
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

/**
 * Returns the values of a template's parameters in a path. The path may start with a version prefix and end with a
 * query string.
 */
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

/** Encodes a body as JSON or as a form, depending on the media type. */
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

/** Builds a call by applying the given changes to a valid call. */
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

export const requestOf = (call: Call): RawRequest => {
  const query = call.query
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  const path = query === '' ? call.path : `${call.path}?${query}`
  return { method: call.method, path, headers: call.headers, body: call.body }
}

/** A call and its exchange, as input for the judges. */
export interface Recorded {
  readonly call: Call
  readonly exchange: Exchange
}

/** A call that got no response, and the last request that the kit sent for it. */
export interface Unanswered {
  readonly call: Call
  readonly request: RawRequest
}
