import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../src/start-server.ts'
import { projectId } from './demo.ts'
import { lostWrites } from './kills.ts'
import { type ProcessOptions, startProcess } from './server-process.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const configs = `/groups/${projectId}/alertConfigs`
const json = { eventTypeName: 'HOST_DOWN', notifications: [] }

/** Limits the file size. The operating system refuses to write beyond this limit, as if the disk were full. */
const noMoreThan = (bytes: number): ProcessOptions => ({
  under: ['sh', '-c', `ulimit -f ${bytes / 512}; exec "$@"`, 'sh'],
})

/** Runs the server without root's privilege to write to any file. */
const bound: ProcessOptions =
  process.getuid?.() === 0
    ? { under: ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', '--'] }
    : {}

describe('a file that cannot grow', () => {
  it('returns 503 for changes, serves reads, and loses nothing', { timeout: 120_000 }, async () => {
    const database = join(emptyFolder(), 'server.db')
    const server = await startProcess(database, noMoreThan(3 * 1024 * 1024))
    const acknowledged: string[] = []
    let refused: Awaited<ReturnType<typeof server.ask>> | undefined
    for (let count = 0; count < 5000 && !refused; count += 1) {
      const response = await server.ask(configs, { method: 'POST', json })
      if (response.status === 200) acknowledged.push(response.textAt('id'))
      else refused = response
    }
    expect([refused?.status, refused?.body]).toMatchObject([503, { errorCode: 'UNAVAILABLE' }])
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await server.ask(`${configs}/${acknowledged.at(-1)}`)).status).toBe(200)
    await server.kill()
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(await lostWrites(database, acknowledged)).toEqual([])
  })
})

describe('a file that is no longer in its folder', () => {
  it.skipIf(process.platform === 'win32').each([
    ['removed', (path: string) => rmSync(path)],
    [
      'replaced',
      (path: string) => {
        writeFileSync(`${path}-new`, readFileSync(path))
        renameSync(`${path}-new`, path)
      },
    ],
  ])('because it was %s makes the server unready', async (_, change) => {
    const database = join(emptyFolder(), 'server.db')
    const lines: string[] = []
    const server = await startServer({ database, logLevel: 'error', writeLog: (text) => lines.push(text) })
    onTestFinished(() => server.stop())
    const readiness = async () => (await fetch(`${server.url}/readyz`)).status
    expect(await readiness()).toBe(200)
    change(database)
    await vi.waitFor(async () => expect(await readiness()).toBe(503), 5000)
    await vi.waitFor(() => expect(lines.join('')).toContain(`${database} was removed or replaced`), 5000)
  })
})

it('a disk without room for the initial data is reported at start', async () => {
  const database = join(emptyFolder(), 'server.db')
  const starting = startProcess(database, noMoreThan(64 * 1024))
  await expect(starting).rejects.toThrow(
    /The database cannot be used: (?:database or disk is full|disk I\/O error)/,
  )
})

describe('a read-only file', () => {
  it('is reported at start with the reason, and not changed', async () => {
    const database = join(emptyFolder(), 'server.db')
    await (await startProcess(database)).kill()
    const before = [statSync(database).mtimeMs, readFileSync(database).length]
    chmodSync(database, 0o444)
    await expect(startProcess(database, bound)).rejects.toThrow(
      `The database file ${database} cannot be written`,
    )
    expect([statSync(database).mtimeMs, readFileSync(database).length]).toEqual(before)
  })

  it('is reported the same if its folder is read-only', async () => {
    const folder = emptyFolder()
    const database = join(folder, 'server.db')
    chmodSync(folder, 0o555)
    await expect(startProcess(database, bound)).rejects.toThrow(
      `The database file ${database} cannot be written`,
    )
    expect(readdirSync(folder)).toEqual([])
  })
})
