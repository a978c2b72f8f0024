import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { clientDist, openapiFetch, scenario } from './sandbox.ts'

const page = `<!doctype html><title>client</title>
<script type="importmap">{ "imports": { "openapi-fetch": "/openapi-fetch.mjs" } }</script>`

export interface PageServer {
  readonly url: string
  stop(): Promise<void>
}

/** Serves a page, the published client and the API from the same origin, because the API doesn't support CORS. */
export async function startPageServer(target: string, folder: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page.example')
    const give = (type: string, body: string | Buffer) => response.setHeader('content-type', type).end(body)
    if (pathname === '/') return give('text/html', page)
    if (pathname === '/scenario.mjs') return give('text/javascript', scenario)
    if (pathname === '/openapi-fetch.mjs')
      return give('text/javascript', readFileSync(join(folder, openapiFetch)))
    const script = /^\/client\/([\w.-]+\.js)$/.exec(pathname)?.[1]
    if (script) return give('text/javascript', readFileSync(join(folder, clientDist, script)))
    const { method, headers } = request
    const passed = send(new URL(request.url ?? '/', target), { method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers)
      upstream.pipe(response)
    })
    passed.on('error', () => response.destroy())
    return request.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
