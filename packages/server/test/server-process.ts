import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { newestCommand } from '../../../scripts/newest-command.ts'
import { demoSecrets, newest } from './demo.ts'
import { digestHeader, nonceOf } from './digest-client.ts'
import { readResponse, type TestResponse } from './test-response.ts'

/** A server in a separate process that tests can kill and pause. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** The first line of the server's log. This line contains the server's options. */
  readonly said: string
  /** Sends a request with the Organization Owner role. The request fails if the process has already ended. */
  ask(path: string, ask?: ProcessAsk): Promise<TestResponse>
  control(method: string, path: string, body?: unknown): Promise<TestResponse>
  /** Closes the pipe for the server's log. */
  ignoreLog(): void
  /** Sends SIGSTOP, which pauses the process. */
  pause(): void
  resume(): void
  /** Sends SIGTERM. */
  terminate(): void
  /** Resolves to the exit code and the signal that ended the process. */
  readonly ended: Promise<readonly unknown[]>
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>
}

export interface ProcessAsk {
  readonly method?: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

const root = join(import.meta.dirname, '..')

const flags = ['--port', '0', '--control-port', '0', '--sandbox', '--seed-demo', '--log-level', 'info']
/** The timeouts are long, because the disk is slow while other tests are running. */
const patience = ['--headers-timeout', '60000', '--request-timeout', '60000']

export interface ProcessOptions {
  /** The Node binary to use. Defaults to the binary that runs the tests. */
  readonly node?: string
  /** Additional flags. */
  readonly flags?: readonly string[]
  /** A command to run the server with, such as `nice`. */
  readonly under?: readonly string[]
}

/**
 * Starts a server without reading its log. If the process ends, the error message contains the output of the process.
 */
export function spawnServer(database: string, options: ProcessOptions = {}) {
  const own = [
    options.node ?? process.execPath,
    ...newestCommand('server'),
    ...flags,
    ...patience,
    '--database',
    database,
    ...(options.flags ?? []),
  ]
  const [command = '', ...args] = [...(options.under ?? []), ...own]
  return spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
}

/**
 * Starts a server and waits until it is listening. If the process ends, the error message contains the output of the
 * process.
 */
export async function startProcess(database: string, options: ProcessOptions = {}): Promise<ServerProcess> {
  const child = spawnServer(database, options)
  const ended = once(child, 'exit')
  const said = await listening(child)
  const { url, controlUrl } = JSON.parse(said)
  const askAt = digestAsker(url)
  return {
    url,
    pid: child.pid ?? 0,
    said,
    ask: (path, ask) => askAt(`/api/svc/v2${path}`, ask),
    control: async (method, path, body) => {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
      return readResponse(await fetch(controlUrl + path, init))
    },
    ignoreLog: () => child.stdout?.destroy(),
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    terminate: () => child.kill('SIGTERM'),
    ended,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * Returns the first line of the log. All other lines are read and discarded, because a full pipe would block the
 * process.
 */
async function listening(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child
  if (!stdout) throw new Error('The server has no output')
  let said = ''
  stderr?.on('data', (chunk) => {
    said = (said + String(chunk)).slice(-10_000)
  })
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: stdout }).once('line', resolve)
    child.once('close', (code) => reject(new Error(`The server exited with ${code}: ${said}`)))
  })
  stdout.resume()
  return line
}

/**
 * Creates a well-behaved Digest client. The client reuses a nonce and increments the nonce count until the server
 * reports that the nonce is stale.
 */
function digestAsker(url: string) {
  const username = 'orgowner'
  const secret = demoSecrets.get(username) ?? ''
  let nonce = ''
  let count = 0
  return async (uri: string, ask: ProcessAsk = {}): Promise<TestResponse> => {
    const { method = 'GET', json, headers = {}, signal } = ask
    for (;;) {
      count += 1
      const used = nonce
      const authorization =
        used === '' ? 'Digest' : digestHeader({ username, secret, nonce, method, uri, count })
      const response = await fetch(url + uri, {
        method,
        headers: {
          authorization,
          accept: newest,
          ...(json === undefined ? {} : { 'content-type': newest }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(signal ? { signal } : {}),
      })
      const challenge = response.headers.get('www-authenticate')
      const again = used === '' || challenge?.includes('stale=true')
      if (response.status !== 401 || !again) return readResponse(response)
      await response.arrayBuffer()
      // Another request may already have replaced the nonce.
      if (nonce === used) {
        nonce = nonceOf(challenge)
        count = 0
      }
    }
  }
}
