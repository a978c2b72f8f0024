import type { ApiRequest, CallContext } from './fetch.ts'
import type { OperationRow } from './operation-row.ts'
import { versionRow } from './version.ts'

/** Arguments of an operation: path and query parameters by name, and the body. */
export type Arguments = Readonly<Record<string, unknown>>

/** The apostrophe too: the URL parser would write it as %27, and a Digest `uri` must be what is sent. */
function encode(value: unknown): string {
  return encodeURIComponent(String(value)).replaceAll("'", '%27')
}

/**
 * Builds the request of one call from its row of the operation table.
 *
 * @throws TypeError when a path parameter is missing, or is a dot segment, which a URL cannot carry.
 */
export function buildRequest(
  row: OperationRow,
  args: Arguments,
  {
    baseUrl,
    headers,
    context,
  }: { baseUrl: string; headers?: Record<string, string> | undefined; context: CallContext },
): Omit<ApiRequest, 'signal'> {
  const { prefix, mediaType } = versionRow(context.version)
  const all: Record<string, string> = { accept: row.accept ?? mediaType }
  let body: string | undefined
  if (args.body !== undefined) {
    all['content-type'] = row.contentType ?? mediaType
    body = serialize(args.body, all['content-type'])
  }
  for (const name in headers) all[name.toLowerCase()] = headers[name] ?? ''
  const path = expand(row, args)
  const query = buildQuery(row.path, args)
  const url = `${baseUrl}${row.absolute ? '' : prefix}${path}${query}`
  return { method: row.method, url, headers: all, body, context }
}

function serialize(body: unknown, contentType: string): string {
  if (contentType.endsWith('json')) return JSON.stringify(body)
  return new URLSearchParams(body as Record<string, string>).toString()
}

function expand(row: OperationRow, args: Arguments): string {
  return row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args[name]
    // "." and ".." are taken for steps in the path, also when they are percent-encoded.
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value))) {
      throw new TypeError(`${row.id}: ${name} cannot be "${value}"`)
    }
    return encode(value)
  })
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
