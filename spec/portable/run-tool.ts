import { spawn } from 'node:child_process'

export interface ToolRun {
  code: number | null
  /** The command's output without color codes. */
  output: string
}

/** Runs a command and waits until it ends. */
export function runTool(command: string, options: string[], cwd: string): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...options], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', CI: '1', DO_NOT_TRACK: '1' },
    })
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output: withoutColors(output.join('')) }))
  })
}

/**
 * Removes terminal escape sequences. Escape sequences can occur inside a word, so tests wouldn't find words such as
 * "error".
 */
export function withoutColors(text: string): string {
  const start = String.fromCharCode(27)
  return text.replaceAll(new RegExp(`${start}\\[[0-9;]*m`, 'g'), '')
}
