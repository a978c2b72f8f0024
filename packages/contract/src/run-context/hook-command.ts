import { spawn } from 'node:child_process'
import { type Json, parseJson } from '../document/json.ts'
import { NotArranged } from '../model/signals.ts'

export interface CommandLimits {
  /** The maximum running time of the command, in milliseconds. */
  readonly timeoutMs: number
  /** If this signal is aborted, the command is ended immediately. */
  readonly signal?: AbortSignal
}

/**
 * Functions that end the running commands. When the kit is stopped, it ends these commands instead of waiting for them.
 */
const underWay = new Set<() => void>()
const endAll = (): void => {
  for (const end of underWay) end()
}

/**
 * Whether the shell runs in a separate process group. A process group can be ended as a whole, including child
 * processes. Windows has no process groups.
 */
const grouped = process.platform !== 'win32'

/**
 * Runs a hook command in a shell. The command receives JSON on standard input, and prints JSON or nothing.
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
        // The processes have ended in the meantime.
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
    // Ignore the error, because the command may end before it has read its input.
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(input))
  })
