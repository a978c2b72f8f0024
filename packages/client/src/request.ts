import { versions } from '#tables/versions'
import { type ApiRequest, type CallContext, mergeHeaders } from './fetch.ts'
import type { OperationRow } from './operation-row.ts'
import type { VersionRow } from './version.ts'

/** Arguments of an operation: path and query parameters by name, and the body. */
export type Arguments = Readonly<Record<string, unknown>>

/** The apostrophe too: the URL parser would write it as %27, and a Digest `uri` must be what is sent. */
function encode(value: unknown): string {
  const text = String(value)
  // Nearly all values are identifiers, and a test is much cheaper than to encode them.
  return /^[\w.-]*$/.test(text) ? text : encodeURIComponent(text).replaceAll("'", '%27')
}

/**
 * Builds the request of one call from its row of the operation table.
 *
 * @throws TypeError when a path parameter is missing, or is a dot segment, which a URL cannot carry.
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
  const url = baseUrl + (row.absolute ? '' : prefix) + expand(row.path, args)
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
  return new URLSearchParams(body as Record<string, string>).toString()
}

/** Path templates taken apart: text at even places, names of parameters at odd ones. */
const templates: Record<string, readonly string[]> = {}

/** The path with its parameters, and the query: what is neither in the path nor the body, arrays as repeated names. */
function expand(path: string, args: Arguments): string {
  templates[path] ??= path.split(/[{}]/)
  const parts = templates[path]
  let url = ''
  parts.forEach((part, index) => {
    url += index % 2 ? segment(part, args[part]) : part
  })
  let mark = '?'
  for (const name in args) {
    const value = args[name]
    if (value === undefined || name === 'body' || parts.includes(name)) continue
    for (const each of Array.isArray(value) ? value : [value]) {
      url += `${mark}${encode(name)}=${encode(each)}`
      mark = '&'
    }
  }
  return url
}

function segment(name: string, value: unknown): string {
  // "." and ".." are taken for steps in the path, also when they are percent-encoded.
  if (/^\.{0,2}$/.test(String(value ?? ''))) throw new TypeError(`${name} cannot be "${value}"`)
  return encode(value)
}
