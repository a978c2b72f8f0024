import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../persistence/database.ts'
import { migrate } from '../persistence/migrate.ts'
import { settings } from '../persistence/settings.ts'
import { createWorld } from '../world/world.ts'
import { seed } from './seed.ts'

/** Database files that worlds begin as copies of, by name: made once in a process, since that takes long. */
const made = new Map<string, Promise<Buffer>>()

/** The file of a world with these contents. */
export function templateOf(name: string, content: () => unknown): Promise<Buffer> {
  const known = made.get(name) ?? make(content())
  made.set(name, known)
  return known
}

async function make(content: unknown): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-admin-template-'))
  try {
    const path = join(folder, 'template.db')
    const database = await openDatabase(path)
    await migrate(database)
    await seed(await createWorld(database, { nonceLifetime: 1, tokenLifetime: 1 }), content)
    // Each world has keys of its own.
    await settings.remove(database, 'nonce-key')
    await database.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
