import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The PostgreSQL cluster for this test run, and the name of the template database. The template contains all tables
     * but no rows. Undefined if the tests run on SQLite.
     */
    postgres: { readonly address: string; readonly template: string } | undefined
  }
}

const cluster = inject('postgres')

export interface TemporaryDatabase {
  readonly address: string
  giveBack(): Promise<void>
}

/**
 * Returns a database for a single server. On SQLite, the database is in memory. On PostgreSQL, the database contains
 * all tables but no rows.
 */
export async function lendDatabase(): Promise<TemporaryDatabase> {
  if (!cluster) return { address: ':memory:', giveBack: async () => {} }
  const address = used.pop() ?? (await copyOf(cluster))
  let given = false
  return {
    address,
    giveBack: async () => {
      // If `stop` is called twice, release the database only once. Otherwise, two servers could get the same database.
      if (given) return
      given = true
      await empty(address)
      used.push(address)
    },
  }
}

/**
 * Creates a database for several servers and releases it after the test. On SQLite, the database is a file that only
 * one server can use at a time. On PostgreSQL, several servers can use the database at the same time.
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

/** Creates a database without tables. On PostgreSQL, the database isn't deleted until the cluster is deleted. */
export async function bareDatabase(): Promise<string> {
  if (!cluster) return ':memory:'
  return copyOf({ ...cluster, template: 'template0' })
}

/**
 * Databases of finished tests that can be reused. Emptying a database takes a tenth of the time that creating a new
 * database takes.
 */
const used: string[] = []

async function copyOf({ address, template }: { address: string; template: string }): Promise<string> {
  // Use a random name instead of a counter, because a process may load this module several times.
  const name = `svc_${randomBytes(8).toString('hex')}`
  await ask(address, `create database "${name}" template "${template}"`)
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}

const apart = new Set(['migrations', 'row_counts'])

async function empty(address: string): Promise<void> {
  const tables = await ask(address, `select tablename as name from pg_tables where schemaname = 'public'`)
  // Empty `row_counts` last, because deleting rows from other tables changes the counts.
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
