import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { newestCommand } from '../../../scripts/newest-command.ts'
import { parseJson, stringAt } from '../src/document/json.ts'

export interface RunningServer {
  readonly baseUrl: string
  readonly control: string
  stop(): void
}

const flags = [
  '--sandbox',
  '--seed-demo',
  '--database',
  ':memory:',
  '--port',
  '0',
  '--control-port',
  '0',
  '--log-level',
  'info',
]

/**
 * Starts the reference server with the demo organization on free ports. The server runs in a separate process, because
 * the kit must not import the server's code.
 */
export const startServer = (): Promise<RunningServer> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...newestCommand('server'), ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // Without this handler, the server would keep running after the harness has stopped or failed.
    process.once('exit', () => child.kill())
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        child.kill()
        process.exit(1)
      })
    const listen = (stream: NodeJS.ReadableStream): void => {
      createInterface({ input: stream }).on('line', (line) => {
        const entry = parseJson(line)
        const [baseUrl, control] = [stringAt(entry, 'url'), stringAt(entry, 'controlUrl')]
        if (baseUrl && control) resolve({ baseUrl, control, stop: () => child.kill() })
      })
    }
    listen(child.stdout)
    listen(child.stderr)
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })

/**
 * Resets the demo organization without resetting the clock. If the clock were set back, this run's nonces would be
 * older than the nonces that the server has already evicted, and the server would reject them.
 */
export const resetSandbox = async (control: string): Promise<void> => {
  const { now }: { now: string } = JSON.parse(await (await fetch(`${control}/clock`)).text())
  await fetch(`${control}/reset`, { method: 'POST' })
  const headers = { 'Content-Type': 'application/json' }
  await fetch(`${control}/clock`, { method: 'PUT', headers, body: JSON.stringify({ now }) })
}
