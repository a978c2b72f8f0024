import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientDist, openapiFetch } from './sandbox.ts'

export interface Worker {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the worker from the given folder with the client's modules. */
export async function startWorker(binary: string, folder: string): Promise<Worker> {
  cpSync(join(folder, clientDist), join(folder, 'client'), { recursive: true })
  const scripts = readdirSync(join(folder, 'client')).filter((name) => name.endsWith('.js'))
  cpSync(join(folder, openapiFetch), join(folder, 'openapi-fetch.mjs'))
  writeFileSync(join(folder, 'worker.capnp'), configuration(scripts.map((name) => `client/${name}`)))
  // The binary is a script that starts the actual program. Without a separate process group, only the script would
  // receive the signal.
  const child = spawn(binary, ['serve', 'worker.capnp', '--control-fd=1'], { cwd: folder, detached: true })
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints += text
  })
  const listening = new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      const port = /"port":(\d+)/.exec(String(text))?.[1]
      if (port) resolve(Number(port))
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(complaints)))
  })
  return {
    url: `http://127.0.0.1:${await listening}`,
    async stop() {
      if (child.pid === undefined || child.exitCode !== null) return
      const ended = once(child, 'exit')
      process.kill(-child.pid)
      await ended
    },
  }
}

function configuration(scripts: readonly string[]): string {
  const own = ['worker.mjs', 'scenario.mjs', ...scripts].map((name) => [name, name])
  const modules = [...own, ['client/openapi-fetch', 'openapi-fetch.mjs']]
    .map(([name, file]) => `(name = "${name}", esModule = embed "${file}")`)
    .join(', ')
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [${modules}], compatibilityDate = "2025-11-01")),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`
}
