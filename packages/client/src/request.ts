import type { ApiRequest, CallContext } from './fetch.ts'
import type { OperationRow } from './operation-row.ts'
import { versionRow } from './version.ts'

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
  const { prefix, mediaType } = versionRow(context.version)
  const all: Record<string, string> = { accept: row.accept ?? mediaType }
  let body: string | undefined
  if (args.body !== undefined) {
    all['content-type'] = row.contentType ?? mediaType
    body = serialize(args.body, all['content-type'])
  }
  for (const set of headers) for (const name in set) all[name.toLowerCase()] = set[name] ?? ''
  const url = baseUrl + (row.absolute ? '' : prefix) + expand(row.path, args) + buildQuery(row.path, args)
  return { method: row.method, url, headers: all, body, context }
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

function expand(path: string, args: Arguments): string {
  templates[path] ??= path.split(/[{}]/)
  return templates[path].map((part, index) => (index % 2 ? segment(part, args[part]) : part)).join('')
}

function segment(name: string, value: unknown): string {
  // "." and ".." are taken for steps in the path, also when they are percent-encoded.
  if (['', '.', '..'].includes(String(value ?? ''))) throw new TypeError(`${name} cannot be "${value}"`)
  return encode(value)
}

/** What is neither in the path nor the body; arrays as repeated names. */
function buildQuery(path: string, args: Arguments): string {
  let query = ''
  for (const name in args) {
    const value = args[name]
    if (value === undefined || name === 'body' || path.includes(`{${name}}`)) continue
    for (const each of Array.isArray(value) ? value : [value]) {
      query += `${query ? '&' : '?'}${encode(name)}=${encode(each)}`
    }
  }
  return query
}
