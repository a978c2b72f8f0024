import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a file', () => {
  it('is refused to a second server, in words that say why', async () => {
    const file = join(folder, 'owned.db')
    const database = await openDatabase(file)
    onTestFinished(() => database.close())
    await migrate(database)
    await expect(openDatabase(file)).rejects.toThrow(`${file} is in use by another server`)
  })
})
