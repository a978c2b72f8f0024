import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The cluster of this run, and an empty database with all tables as a template; absent when tests run on
     * SQLite.
     */
    postgres: { readonly address: string; readonly template: string } | undefined
  }
}

const cluster = inject('postgres')

/** A database that no other test uses at the same time. */
export interface TemporaryDatabase {
  readonly address: string
  giveBack(): Promise<void>
}

/** Returns a database for one server: in memory on SQLite, with all tables and no rows on PostgreSQL. */
export async function lendDatabase(): Promise<TemporaryDatabase> {
  if (!cluster) return { address: ':memory:', giveBack: async () => {} }
  const address = used.pop() ?? (await copyOf(cluster))
  let given = false
  return {
    address,
    giveBack: async () => {
      // A second stop must not return the database twice, or two servers would share it.
      if (given) return
      given = true
      await empty(address)
      used.push(address)
    },
  }
}

/**
 * Creates a database for several servers: consecutive on SQLite (a file), concurrent on PostgreSQL. It is
 * deleted after the test.
 */
export async function persistentDatabase(): Promise<string> {
  if (!cluster) {
    const folder = mkdtempSync(join(tmpdir(), 'database-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return join(folder, 'server.db')
  }
  const { address, giveBack } = await lendDatabase()
  onTestFinished(giveBack)
  return address
}

/** Creates a database without tables. On PostgreSQL, it remains until the cluster is deleted. */
export async function bareDatabase(): Promise<string> {
  if (!cluster) return ':memory:'
  return copyOf({ ...cluster, template: 'template0' })
}

/** Databases of finished tests. Emptying one takes a tenth of the time of creating one. */
const used: string[] = []

async function copyOf({ address, template }: { address: string; template: string }): Promise<string> {
  // Random instead of counted, because a test may load this module again.
  const name = `svc_${randomBytes(8).toString('hex')}`
  await ask(address, `create database "${name}" template "${template}"`)
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}

const apart = new Set(['migrations', 'row_counts'])

async function empty(address: string): Promise<void> {
  const tables = await ask(address, `select tablename as name from pg_tables where schemaname = 'public'`)
  // Empty the count tables last, because deletions change them.
  const names = [...tables.map(({ name }) => name).filter((name) => !apart.has(name)), 'row_counts']
  await ask(address, names.map((name) => `delete from "${name}"`).join(';'))
}

async function ask(address: string, sql: string): Promise<{ name: string }[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return (await client.query<{ name: string }>(sql)).rows
  } finally {
    await client.end()
  }
}
