import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onDisk, openDatabase } from '../persistence/database.ts'
import { migrate } from '../persistence/migrate.ts'
import { settings } from '../persistence/settings.ts'
import { createWorld } from '../world/world.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { seed } from './seed.ts'

/** The initial contents shared by all worlds with the same fixture. */
export interface Template {
  /** A database file that is copied for each world. */
  readonly file: Buffer
  /** The contents that depend on a world's start time. They are seeded into each world separately. */
  readonly rest: Fields
}

/** The templates, keyed by name. Each process creates a template only once, because this takes a long time. */
const made = new Map<string, Promise<Template>>()

/** Returns the template for worlds with the given contents. */
export function templateOf(name: string, content: () => unknown): Promise<Template> {
  const known = made.get(name)
  if (known) return known
  const making = make(fieldsOf(content(), 'A template'))
  made.set(name, making)
  // If the template can't be created, try again on the next request, because disk space may be available by then.
  making.catch(() => made.delete(name))
  return making
}

/**
 * The collections stored in the file. If the seed contains all times and IDs, these collections don't depend on when
 * they are seeded.
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
      // Remove the key, because each world needs its own key.
      await settings.remove(database, 'nonce-key')
    } finally {
      await database.close()
    }
    return onDisk(() => readFileSync(path))
  } finally {
    onDisk(() => rmSync(folder, { recursive: true, force: true }))
  }
}
