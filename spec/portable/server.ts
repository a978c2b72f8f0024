import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { listeningOf, ownerOf, serverProgram } from '../../scripts/start-options.mjs'
import { loadDemo, loadFacts } from '../src/index.ts'

const options = ['--sandbox', '--seed-demo', '--database', ':memory:', '--port', '0', '--control-port', '0']

const demo = loadDemo()

export interface ReferenceServer {
  readonly url: string
  /** The environment variables that tell a program how to call the server. */
  readonly env: Readonly<Record<string, string>>
  stop(): void
}

export async function startReferenceServer(): Promise<ReferenceServer> {
  const child = spawn(process.execPath, [serverProgram.command, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.on('exit', () =>
      reject(new Error('The reference server could not run. Run npm run build, then try again.')),
    )
    createInterface({ input: child.stdout }).on('line', (line) => {
      const listening = listeningOf(line)
      if (listening) resolve(listening.url)
    })
  })
  const { project, account } = ownerOf(demo)
  const credentials = Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64')
  const response = await fetch(url + loadFacts().tokenEndpoint.path, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token: token }: { access_token: string } = await response.json()
  return {
    url,
    stop: () => child.kill(),
    env: {
      SVC_TOKEN: token,
      SVC_GROUP_ID: project.id,
      SVC_CLUSTER: String(demo.clusters?.find(({ type }) => type === 'REPLICASET')?.name),
      // A valid alert ID that doesn't exist on the server.
      SVC_MISSING_ID: 'f'.repeat(24),
    },
  }
}
