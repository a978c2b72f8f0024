import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'

export interface Started {
  readonly url: string
  readonly pid: number
  /** Milliseconds from process start to the first response. */
  readonly startup: number
  stop(): Promise<void>
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })

/** Starts a server and waits for its first response. */
export async function startProcess(
  program: string,
  argumentsFor: (port: number) => readonly string[],
  path: string,
): Promise<Started> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  let printed = ''
  const child = spawn(program, argumentsFor(port), { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk) => (printed = `${printed}${chunk}`.slice(-4000)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await responses(`${url}${path}`))) {
    if (child.exitCode !== null || performance.now() - began > 60_000)
      throw new Error(`${program} ${argumentsFor(port).join(' ')} didn't respond. Its output was: ${printed}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { url, pid: pidOf(child), startup: performance.now() - began, stop: () => stop(child, ended) }
}

const pidOf = ({ pid }: ChildProcess): number => {
  if (pid === undefined) throw new Error('The process did not start')
  return pid
}

const responses = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer()
      return true
    },
    () => false,
  )

const stop = async (child: ChildProcess, ended: Promise<void>): Promise<void> => {
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(late)
}
