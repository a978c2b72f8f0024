import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createFetch } from '@svc-admin/client/openapi-fetch'
import { build } from 'esbuild'

// Serves the page and forwards its API calls with this process's credentials.

function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`Set ${name}.`)
  return value
}

const baseUrl = process.env.SVC_BASE_URL ?? 'http://127.0.0.1:8080'
const groupId = required('SVC_GROUP_ID')
const api = createFetch({
  baseUrl,
  credentials: { publicKey: required('SVC_PUBLIC_KEY'), privateKey: required('SVC_PRIVATE_KEY') },
  version: '2025-03-12',
})

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('src/page.tsx', import.meta.url))],
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
})
const script = outputFiles[0]?.text ?? ''
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Alerts</title>
<link rel="icon" href="data:,">
<style>
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem; color-scheme: light dark }
table { border-collapse: collapse }
th, td { text-align: left; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid #8884 }
[role=alert] { color: #c22 }
</style>
<body data-group-id="${encodeURIComponent(groupId)}">
<div id="root"></div>
<script type="module" src="/page.js"></script>
</body>
</html>`

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', headers } = request
  const reply = await api(baseUrl + request.url, {
    method,
    headers: { accept: headers.accept ?? '*/*' },
    body: method === 'GET' ? null : await text(request),
  })
  response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' })
  response.end(await reply.text())
}

const server = createServer((request, response) => {
  if (request.url === '/') response.setHeader('content-type', 'text/html').end(page)
  else if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script)
  else if (request.url?.startsWith('/api/svc/'))
    forward(request, response).catch((error: unknown) => {
      console.error(error)
      const body = {
        error: 502,
        errorCode: 'UNAVAILABLE',
        reason: 'Bad Gateway',
        detail: 'The API is not reachable.',
      }
      response.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  else response.writeHead(404).end()
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
