import { versions } from '#tables/versions'
import { type ApiRequest, type CallContext, mergeHeaders } from './fetch.ts'
import type { OperationRow } from './operation-row.ts'
import type { VersionRow } from './version.ts'

/** An operation's arguments: path and query parameters by name, and `body`. */
export type Arguments = Readonly<Record<string, unknown>>

/**
 * Encodes a parameter value for a URL.
 *
 * @param rejected A pattern for values that aren't allowed. URL parsers remove "." and ".." path segments, even if they
 *   are percent-encoded.
 */
function encode(id: string, name: string, value: unknown, rejected?: RegExp): string {
  // Most values are IDs, and this test is much faster than the tests below.
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
  // The URL parser encodes an apostrophe as %27, and a Digest `uri` must match the URL that is sent.
  return encodeURIComponent(text).replaceAll("'", '%27')
}

/**
 * Builds a call's request from the operation's row.
 *
 * @throws TypeError if a parameter is missing, or isn't a string, number or boolean. Also throws if a path
 *   parameter is a dot segment, because URL parsers would remove it.
 */
export function buildRequest(
  row: OperationRow,
  args: Arguments,
  { baseUrl, headers, context }: RequestSettings,
): Omit<ApiRequest, 'signal'> {
  // `versions` contains every version that can occur in an operation row.
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
  /** Headers in later entries take precedence. */
  readonly headers: readonly (Readonly<Record<string, string>> | undefined)[]
  readonly context: CallContext
}

/** Caches the segments of each path. Literals are at even indexes, and parameter names are at odd indexes. */
const templates: Record<string, string[]> = {}

/**
 * Fills in the path parameters and adds the query, which contains all arguments except path parameters and the body.
 * Arrays become repeated parameters.
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
