import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadDemo, loadDocument } from '@svc-admin/spec'
import { installToolbox } from '../../../scripts/toolbox.ts'
import type { Load, Sent } from './load.ts'
import { residentOf } from './load.ts'
import { type Started, startProcess } from './processes.ts'

export interface Peer {
  readonly name: string
  readonly started: Started
  readonly idle: number
  /** Returns the load for a scenario, or undefined if this server doesn't support the scenario. */
  contender(scenario: string): { readonly name: string; readonly load: Load } | undefined
}

/**
 * Starts mock servers that return the examples in the v1.0 document. The benchmark uses this document because the media
 * type in v1.0 is plain JSON.
 */
export async function startPeers(groupId: string): Promise<readonly Peer[]> {
  const toolbox = join(await installToolbox(new URL('peers/', import.meta.url)), 'node_modules')
  const node = join(toolbox, `node-24-linux-${process.arch}`, 'bin/node')
  const document = fileURLToPath(new URL('../../../spec/dist/v1.0.json', import.meta.url))
  const alert = String(loadDemo().alerts?.[0]?.id)
  const path = `/groups/${groupId}/alerts/${alert}`
  const starts: readonly [string, string, (port: number) => readonly string[]][] = [
    [
      '@stoplight/prism-cli',
      '',
      (port) => [
        join(toolbox, '@stoplight/prism-cli/dist/index.js'),
        'mock',
        document,
        '--port',
        String(port),
        '--multiprocess',
        'false',
        '--verboseLevel',
        'error',
      ],
    ],
    [
      '@scalar/mock-server',
      '',
      (port) => [fileURLToPath(new URL('scalar.mjs', import.meta.url)), document, String(port), toolbox],
    ],
    [
      '@mockoon/cli',
      '/api/svc/v1.0',
      (port) => [
        join(toolbox, '@mockoon/cli/bin/run.js'),
        'start',
        '--data',
        document,
        '--port',
        String(port),
        '--disable-log-to-file',
      ],
    ],
  ]
  const peers: Peer[] = []
  for (const [name, prefix, args] of starts) {
    const started = await startProcess(node, args, `${prefix}${path}`)
    const sending = (sent: Sent, expected: number) => ({
      name,
      load: { url: started.url, pid: started.pid, expected, next: () => sent },
    })
    const headers = { Accept: 'application/json', Authorization: 'Bearer bench' }
    peers.push({
      name,
      started,
      idle: residentOf(started.pid),
      contender(scenario) {
        if (scenario === 'get one, bearer')
          return sending({ method: 'GET', path: prefix + path, headers }, 200)
        if (scenario === 'list of 100')
          return sending({ method: 'GET', path: `${prefix}/groups/${groupId}/alertConfigs`, headers }, 200)
        if (scenario !== 'validated, durable create') return undefined
        const body = JSON.stringify(exampleBody())
        const sent = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }
        return sending(
          {
            method: 'POST',
            path: `${prefix}/groups/${groupId}/alertConfigs`,
            headers: { ...headers, ...sent },
            body,
          },
          200,
        )
      },
    })
  }
  return peers
}

const exampleBody = (): unknown => {
  const operation = loadDocument('v1.0').paths['/groups/{groupId}/alertConfigs']?.post
  const [example] = Object.values(operation?.requestBody?.content?.['application/json']?.examples ?? {})
  return example?.value
}
