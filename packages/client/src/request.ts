import { versions } from '#tables/versions'
import { type ApiRequest, type CallContext, mergeHeaders } from './fetch.ts'
import type { OperationRow } from './operation-row.ts'
import type { VersionRow } from './version.ts'

/** Arguments of an operation: path and query parameters by name, and `body`. */
export type Arguments = Readonly<Record<string, unknown>>

/**
 * Encodes a parameter value for a URL.
 *
 * @param rejected values that aren't allowed. URL parsers remove "." and ".." path segments, even if
 * percent-encoded.
 */
function encode(id: string, name: string, value: unknown, rejected?: RegExp): string {
  // Most values are identifiers, and this test is much cheaper than those below.
  if (typeof value === 'string' && /^[\w-]+$/.test(value)) return value
  const text = String(value)
  // A lone surrogate has no UTF-8 encoding.
  if (
    value === undefined ||
    typeof value === 'object' ||
    Number.isNaN(value) ||
    /\p{Cs}/u.test(text) ||
    rejected?.test(text)
  ) {
    throw new TypeError(`${id}: ${name} cannot be ${text || 'empty'}`)
  }
  // The URL parser encodes the apostrophe as %27, and a Digest `uri` must equal what is sent.
  return encodeURIComponent(text).replaceAll("'", '%27')
}

/**
 * Builds the request of one call from its row in the operation table.
 *
 * @throws TypeError when a parameter is missing, isn't a string, number or boolean, or is a dot segment in
 * the path, which URLs can't contain.
 */
export function buildRequest(
  row: OperationRow,
  args: Arguments,
  { baseUrl, headers, context }: RequestSettings,
): Omit<ApiRequest, 'signal'> {
  // The table has every version that rows name.
  const [prefix, mediaType] = versions[context.version] as VersionRow
  const all: Record<string, string> = { accept: row.accept ?? mediaType }
  let body: string | undefined
  if (args.body !== undefined) {
    all['content-type'] = row.contentType ?? mediaType
    body = all['content-type'].endsWith('json')
      ? JSON.stringify(args.body)
      : `${new URLSearchParams(args.body as Record<string, string>)}`
  }
  const url = baseUrl + (row.absolute ? '' : prefix) + expand(row, args)
  return { method: row.method, url, headers: mergeHeaders(all, headers), body, context }
}

export interface RequestSettings {
  readonly baseUrl: string
  /** Later headers take precedence. */
  readonly headers: readonly (Readonly<Record<string, string>> | undefined)[]
  readonly context: CallContext
}

/** The parts of each path that was used: literals at even indexes, parameter names at odd ones. */
const templates: Record<string, string[]> = {}

/**
 * Expands the path and adds the query: all arguments that are neither in the path nor the body. Arrays become
 * repeated parameters.
 */
function expand({ id, path }: OperationRow, args: Arguments): string {
  templates[path] ??= path.split(/[{}]/)
  const parts = templates[path]
  let url = ''
  let isName = false
  for (const part of parts) {
    url += isName ? encode(id, part, args[part], /^\.{0,2}$/) : part
    isName = !isName
  }
  let mark = '?'
  for (const name in args) {
    const value = args[name]
    if (value === undefined || name === 'body' || parts.includes(name)) continue
    for (const each of [value].flat()) {
      url += `${mark}${encode(id, name, name)}=${encode(id, name, each)}`
      mark = '&'
    }
  }
  return url
}
