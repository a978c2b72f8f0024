import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentTypeOf } from './content-types.ts'

const site = fileURLToPath(new URL('../dist/site/', import.meta.url))

export interface StaticServer {
  readonly origin: string
  close(): void
}

/** Handles requests for paths that don't match a file on the site. */
export type Response = (
  method: string,
  path: string,
  headers: NodeJS.Dict<string | string[]>,
) => Reply | undefined

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Serves the built site with the headers in `headers.json`. `respond` handles API requests.
 *
 * @throws Error if the site hasn't been built.
 */
export async function serveSite(respond?: Response): Promise<StaticServer> {
  if (!existsSync(join(site, 'index.html')))
    throw new Error('Build the site first: npm run build -w packages/docs')
  const policies: Record<string, string> = JSON.parse(readFileSync(join(site, 'headers.json'), 'utf8'))[
    'content-security-policy'
  ]
  const prefixes = Object.keys(policies).sort((a, b) => b.length - a.length)
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site.invalid').pathname)
    const reply = respond?.(request.method ?? 'GET', request.url ?? '/', request.headers)
    if (reply) return response.writeHead(reply.status, reply.headers).end(reply.body)
    const file = join(site, normalize(path.endsWith('/') ? `${path}index.html` : path))
    if (!file.startsWith(site) || !existsSync(file) || statSync(file).isDirectory())
      return response.writeHead(404).end()
    const policy = policies[prefixes.find((prefix) => path.startsWith(prefix)) ?? '/'] ?? ''
    return response
      .writeHead(200, { 'Content-Type': contentTypeOf(file), 'Content-Security-Policy': policy })
      .end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close() }
}
