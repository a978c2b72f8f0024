import { closeSync, existsSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const handles = '/proc/self/fd'

/** Whether the operating system shows which file a handle refers to. */
export const canBreakReads = existsSync(handles)

/**
 * Makes a file unreadable by replacing all open handles of the file and its companion files with handles of a folder.
 */
export function breakReads(path: string): void {
  for (const handle of readdirSync(handles).map(Number)) {
    if (!pathOf(handle)?.startsWith(path)) continue
    closeSync(handle)
    const taken: number[] = []
    // `open` always returns the lowest unused file descriptor.
    while (!taken.includes(handle)) taken.push(openSync(tmpdir(), 'r'))
    for (const one of taken) if (one !== handle) closeSync(one)
  }
}

function pathOf(handle: number): string | undefined {
  try {
    return readlinkSync(join(handles, String(handle)))
  } catch {
    // This handle was open only while the folder was being listed.
    return undefined
  }
}
