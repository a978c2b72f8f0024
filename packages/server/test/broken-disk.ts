import { closeSync, existsSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const handles = '/proc/self/fd'

/** True if the system shows which file each handle belongs to. */
export const canBreakReads = existsSync(handles)

/** Replaces all handles of a file and its companion files with handles of a folder, so that reads fail. */
export function breakReads(path: string): void {
  for (const handle of readdirSync(handles).map(Number)) {
    if (!pathOf(handle)?.startsWith(path)) continue
    closeSync(handle)
    const taken: number[] = []
    // `open` always returns the lowest unused number.
    while (!taken.includes(handle)) taken.push(openSync(tmpdir(), 'r'))
    for (const one of taken) if (one !== handle) closeSync(one)
  }
}

function pathOf(handle: number): string | undefined {
  try {
    return readlinkSync(join(handles, String(handle)))
  } catch {
    // The handle belongs to the directory listing itself.
    return undefined
  }
}
