import { spawn } from 'node:child_process'
import { type Json, parseJson } from '../document/json.ts'
import { NotArranged } from '../engine/signals.ts'

export interface CommandLimits {
  /** How long it may take, in milliseconds. */
  readonly timeoutMs: number
  /** Ends it at once. */
  readonly signal?: AbortSignal
}

/** How to end what is under way: nobody waits for it when the kit itself is ended. */
const underWay = new Set<() => void>()
const endAll = (): void => {
  for (const end of underWay) end()
}

/** With a group of its own, whatever the shell has started ends with it. Windows has none. */
const grouped = process.platform !== 'win32'

/**
 * Runs the command of a hook in a shell, which gets JSON and answers with JSON or nothing.
 *
 * @throws NotArranged when it ends with another code than 0, or not in time.
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
        // All of them have ended.
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
      if (late) reject(new NotArranged(`the hook ${command} had not ended after ${timeoutMs / 1000} s`))
      else if (code === 0) resolve(parseJson(output) ?? null)
      else reject(new NotArranged(`the hook ${command} ended with ${code ?? 'a signal'}`))
    })
    // It may end without having read it.
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(input))
  })
