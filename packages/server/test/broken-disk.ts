import { closeSync, existsSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const handles = '/proc/self/fd'

/** Whether the system shows which file a handle is of. */
export const canBreakReads = existsSync(handles)

/** Puts a folder behind every handle of a file, and of those beside it: whoever reads is told that it cannot be. */
export function breakReads(path: string): void {
  for (const handle of readdirSync(handles).map(Number)) {
    if (!pathOf(handle)?.startsWith(path)) continue
    closeSync(handle)
    const taken: number[] = []
    // Who opens gets the lowest number that is free.
    while (!taken.includes(handle)) taken.push(openSync(tmpdir(), 'r'))
    for (const one of taken) if (one !== handle) closeSync(one)
  }
}

function pathOf(handle: number): string | undefined {
  try {
    return readlinkSync(join(handles, String(handle)))
  } catch {
    // The one of the listing itself.
    return undefined
  }
}
