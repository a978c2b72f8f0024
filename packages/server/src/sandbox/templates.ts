import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onDisk, openDatabase } from '../persistence/database.ts'
import { migrate } from '../persistence/migrate.ts'
import { settings } from '../persistence/settings.ts'
import { createWorld } from '../world/world.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { seed } from './seed.ts'

/** What worlds of certain contents begin as. */
export interface Template {
  /** A database file, of which each is a copy. */
  readonly file: Buffer
  /** What is seeded into each, as of when it begins. */
  readonly rest: Fields
}

/** The templates by name, each made once in a process, since that takes long. */
const made = new Map<string, Promise<Template>>()

/** The template for worlds with these contents. */
export function templateOf(name: string, content: () => unknown): Promise<Template> {
  const known = made.get(name)
  if (known) return known
  const making = make(fieldsOf(content(), 'A template'))
  made.set(name, making)
  // What failed is made anew for who asks next: the disk may have room again.
  making.catch(() => made.delete(name))
  return making
}

/**
 * Collections that are in the file: in a seed that names all moments and identifiers, nothing of theirs that anybody
 * is shown depends on when it is seeded.
 */
const timeless: readonly string[] = [
  'organizations',
  'projects',
  'clusters',
  'apiKeys',
  'serviceAccounts',
  'alertConfigs',
  'accessLogs',
  'cloudProviderAccessRoles',
  'auditingConfigs',
  'customDns',
  'snapshots',
  'shardedClusterSnapshots',
  'serverlessSnapshots',
  'restoreJobs',
  'serverlessRestoreJobs',
  'exportJobs',
  'migrationProjects',
  'searchAnalyzers',
]

async function make(content: Fields): Promise<Template> {
  const parts = (inFile: boolean): Fields =>
    Object.fromEntries(Object.entries(content).filter(([name]) => timeless.includes(name) === inFile))
  return { file: await fileOf(parts(true)), rest: parts(false) }
}

async function fileOf(content: Fields): Promise<Buffer> {
  const folder = onDisk(() => mkdtempSync(join(tmpdir(), 'svc-admin-template-')))
  try {
    const path = join(folder, 'template.db')
    const database = await openDatabase(path)
    try {
      await migrate(database)
      await seed(await createWorld(database, { nonceLifetime: 1, tokenLifetime: 1 }), content)
      // Each world has keys of its own.
      await settings.remove(database, 'nonce-key')
    } finally {
      await database.close()
    }
    return onDisk(() => readFileSync(path))
  } finally {
    onDisk(() => rmSync(folder, { recursive: true, force: true }))
  }
}
