import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onDisk, openDatabase } from '../persistence/database.ts'
import { migrate } from '../persistence/migrate.ts'
import { settings } from '../persistence/settings.ts'
import { createWorld } from '../world/world.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { seed } from './seed.ts'

/** The initial contents of all worlds with the same fixture. */
export interface Template {
  /** A database file to copy for each world. */
  readonly file: Buffer
  /** Contents that depend on a world's start time, and are therefore seeded separately into each world. */
  readonly rest: Fields
}

/** The templates by name. Each template is created only once per process, because creating one takes a long time. */
const made = new Map<string, Promise<Template>>()

/** Returns the template for worlds with the given contents. */
export function templateOf(name: string, content: () => unknown): Promise<Template> {
  const known = made.get(name)
  if (known) return known
  const making = make(fieldsOf(content(), 'A template'))
  made.set(name, making)
  // If creating the template fails, the next request tries again, because the disk may have free space by then.
  making.catch(() => made.delete(name))
  return making
}

/**
 * The collections to store in the file. If a seed contains all times and IDs, nothing visible in these
 * collections depends on the time of seeding.
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
      // The key is removed, because each world has its own.
      await settings.remove(database, 'nonce-key')
    } finally {
      await database.close()
    }
    return onDisk(() => readFileSync(path))
  } finally {
    onDisk(() => rmSync(folder, { recursive: true, force: true }))
  }
}
