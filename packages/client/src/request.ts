import { versions } from '#tables/versions'
import { type ApiRequest, type CallContext, mergeHeaders } from './fetch.ts'
import type { OperationRow } from './operation-row.ts'
import type { VersionRow } from './version.ts'

/** Arguments of an operation: path and query parameters by name, and the body. */
export type Arguments = Readonly<Record<string, unknown>>

/**
 * A value of a parameter as it stands in a URL.
 *
 * @param refused "." and ".." are taken for steps in a path, also when they are percent-encoded
 */
function encode(id: string, name: string, value: unknown, refused?: RegExp): string {
  const text = String(value)
  // Half a surrogate pair has no UTF-8.
  if (
    value === undefined ||
    typeof value === 'object' ||
    Number.isNaN(value) ||
    /\p{Cs}/u.test(text) ||
    refused?.test(text)
  ) {
    throw new TypeError(`${id}: ${name} cannot be ${text || 'empty'}`)
  }
  // Nearly all values are identifiers, and a test is much cheaper than to encode them. The apostrophe too: the URL
  // parser would write it as %27, and a Digest `uri` must be what is sent.
  return /^[\w.-]*$/.test(text) ? text : encodeURIComponent(text).replaceAll("'", '%27')
}

/**
 * Builds the request of one call from its row of the operation table.
 *
 * @throws TypeError when a parameter is missing, is no text, number or boolean, or is a dot segment in the path, which a
 * URL cannot carry.
 */
export function buildRequest(
  row: OperationRow,
  args: Arguments,
  { baseUrl, headers, context }: RequestSettings,
): Omit<ApiRequest, 'signal'> {
  // The table has every version that a row names.
  const [prefix, mediaType] = versions[context.version] as VersionRow
  const all: Record<string, string> = { accept: row.accept ?? mediaType }
  let body: string | undefined
  if (args.body !== undefined) {
    all['content-type'] = row.contentType ?? mediaType
    body = serialize(args.body, all['content-type'])
  }
  const url = baseUrl + (row.absolute ? '' : prefix) + expand(row, args)
  return { method: row.method, url, headers: mergeHeaders(all, headers), body, context }
}

export interface RequestSettings {
  readonly baseUrl: string
  /** Later ones win. */
  readonly headers: readonly (Readonly<Record<string, string>> | undefined)[]
  readonly context: CallContext
}

function serialize(body: unknown, contentType: string): string {
  if (contentType.endsWith('json')) return JSON.stringify(body)
  return String(new URLSearchParams(body as Record<string, string>))
}

/** Path templates taken apart: text at even places, names of parameters at odd ones. */
const templates: Record<string, readonly string[]> = {}

/** The path with its parameters, and the query: what is neither in the path nor the body, arrays as repeated names. */
function expand({ id, path }: OperationRow, args: Arguments): string {
  templates[path] ??= path.split(/[{}]/)
  const parts = templates[path]
  let url = ''
  parts.forEach((part, index) => {
    url += index % 2 ? encode(id, part, args[part], /^\.{0,2}$/) : part
  })
  let mark = '?'
  for (const name in args) {
    const value = args[name]
    if (value === undefined || name === 'body' || parts.includes(name)) continue
    for (const each of Array.isArray(value) ? value : [value]) {
      url += `${mark}${encode(id, name, name)}=${encode(id, name, each)}`
      mark = '&'
    }
  }
  return url
}
