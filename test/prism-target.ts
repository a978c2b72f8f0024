import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { demoTarget, type Target } from '@svc-admin/contract'
import { type Version, versions } from '@svc-admin/types'
import { installToolbox } from '../scripts/toolbox.ts'

/** A running Prism server, which serves the examples from one of our documents. */
export interface PrismTarget {
  readonly target: Target
  stop(): Promise<void>
}

const tools = new URL('../spec/portable/tools/', import.meta.url)

const listening = /Prism is listening on (http:\/\/[\d.:]+)/

/** Starts Prism. Reads all of the output, because a full pipe would block Prism. */
async function startPrism(version: Version): Promise<{ url: string; child: ChildProcess }> {
  const program = join(await installToolbox(tools), 'node_modules/.bin/prism')
  const document = fileURLToPath(new URL(`../spec/dist/${version}.json`, import.meta.url))
  const options = ['mock', '--host', '127.0.0.1', '--port', '0', '--multiprocess', 'false', document]
  const child = spawn(process.execPath, [program, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  return new Promise((resolve, reject) => {
    const last: string[] = []
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        last.push(line)
        if (last.length > 20) last.shift()
        const url = listening.exec(line)?.[1]
        if (url !== undefined) resolve({ url, child })
      })
    child.on('error', reject)
    child.on('close', () => reject(new Error(`Prism exited: ${last.join('\n')}`)))
  })
}

/** Prism serves the document's paths without the prefix that the server URL contains. */
function withPrefix(prefix: string, upstream: string): Server {
  return createServer((incoming, outgoing) => {
    const path = incoming.url ?? ''
    const { method, headers } = incoming
    const sent = request(
      upstream + (path.startsWith(prefix) ? path.slice(prefix.length) : path),
      { method, headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
        response.pipe(outgoing)
      },
    )
    sent.on('error', () => outgoing.destroy())
    incoming.pipe(sent)
  })
}

/** Removes all API keys, because Prism's Digest challenge has no nonce. */
const withoutKeys = <T extends object>(holders: T): T =>
  JSON.parse(JSON.stringify(holders, (name, value) => (name === 'apiKey' ? undefined : value)))

export async function startPrismTarget(version: Version): Promise<PrismTarget> {
  const { url, child } = await startPrism(version)
  const prefix = versions.find(({ id }) => id === version)?.prefix ?? ''
  const server = withPrefix(prefix, url)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const { others, ...target } = demoTarget({ baseUrl: `http://127.0.0.1:${port}` })
  return {
    target: { ...target, roles: withoutKeys(target.roles), ...(others && { others: withoutKeys(others) }) },
    async stop() {
      server.closeAllConnections()
      server.close()
      if (child.exitCode !== null) return
      child.kill()
      await once(child, 'close')
    },
  }
}
