import { spawn } from 'node:child_process'
import { type Json, parseJson } from '../document/json.ts'
import { NotArranged } from '../model/signals.ts'

export interface CommandLimits {
  /** The timeout in milliseconds. */
  readonly timeoutMs: number
  /** Abort this signal to end the command immediately. */
  readonly signal?: AbortSignal
}

/**
 * Functions that end running commands. They are needed because the kit doesn't wait for commands when it is stopped.
 */
const underWay = new Set<() => void>()
const endAll = (): void => {
  for (const end of underWay) end()
}

/**
 * The shell runs in a separate process group, so that it can be ended together with its child processes. Windows has no
 * process groups.
 */
const grouped = process.platform !== 'win32'

/**
 * Runs a hook command in a shell. The command reads JSON, and prints JSON or no output.
 *
 * @throws NotArranged if the exit code isn't 0 or the command times out.
 */
export const runCommand = (
  command: string,
  input: Json,
  { timeoutMs, signal }: CommandLimits,
): Promise<Json> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, detached: grouped, stdio: ['pipe', 'pipe', 'inherit'] })
    const { pid } = child
    const end = (): void => {
      try {
        if (grouped && pid !== undefined) process.kill(-pid, 'SIGKILL')
        else child.kill('SIGKILL')
      } catch {
        // The processes have already ended.
      }
    }
    let late = false
    const timer = setTimeout(() => {
      late = true
      end()
    }, timeoutMs)
    signal?.addEventListener('abort', end)
    if (!process.listeners('exit').includes(endAll)) process.on('exit', endAll)
    underWay.add(end)
    const over = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      underWay.delete(end)
    }
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.on('error', (error) => {
      over()
      reject(error)
    })
    child.on('close', (code) => {
      over()
      if (late) reject(new NotArranged(`the hook ${command} was still running after ${timeoutMs / 1000} s`))
      else if (code === 0) resolve(parseJson(output) ?? null)
      else reject(new NotArranged(`the hook ${command} ended with ${code ?? 'a signal'}`))
    })
    // The command may end before it has read its input.
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(input))
  })
