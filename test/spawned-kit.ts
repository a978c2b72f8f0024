import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { newestCommand } from '../scripts/newest-command.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Starts the kit's command as a process that can be killed. */
export const spawnContract = (...args: string[]): ChildProcess => {
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  const child = spawn(process.execPath, [...newestCommand('contract'), ...args], {
    cwd: root,
    stdio: [...stdio],
  })
  child.stdout?.resume()
  return child
}

/** Resolves with a command's exit code once all of its output has been read. */
export const finished = async (child: ChildProcess): Promise<number | null> => {
  const [code] = await once(child, 'close')
  return code
}

interface Line {
  readonly done?: { readonly result: { readonly id: string; readonly verdict: string } }
}

/** Returns the checks recorded in a journal. The journal's last line may be incomplete. */
export const checksIn = (journal: string): string[] => {
  const lines = existsSync(journal) ? readFileSync(journal, 'utf8').split('\n') : []
  return lines.flatMap((line) => {
    if (!line.startsWith('{"done"') || !line.endsWith('}')) return []
    const entry: Line = JSON.parse(line)
    return entry.done?.result.id ?? []
  })
}
