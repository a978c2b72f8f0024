import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster of this run, and an empty database with all tables to copy; absent where tests run on SQLite. */
    postgres: { readonly address: string; readonly template: string } | undefined
  }
}

const cluster = inject('postgres')

/** A database that no other test has meanwhile. */
export interface TemporaryDatabase {
  readonly address: string
  giveBack(): Promise<void>
}

/** A database for one server: in memory on SQLite, one with all tables and no rows on PostgreSQL. */
export async function lendDatabase(): Promise<TemporaryDatabase> {
  if (!cluster) return { address: ':memory:', giveBack: async () => {} }
  const address = used.pop() ?? (await copyOf(cluster))
  let given = false
  return {
    address,
    giveBack: async () => {
      // Who stops a server twice must not have its database lent to two others.
      if (given) return
      given = true
      await empty(address)
      used.push(address)
    },
  }
}

/** A database for several servers in turn, or at once on PostgreSQL: a file on SQLite. It ends with the test. */
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

/** A database without any table, which on PostgreSQL stays until the cluster goes. */
export async function bareDatabase(): Promise<string> {
  if (!cluster) return ':memory:'
  return copyOf({ ...cluster, template: 'template0' })
}

/** Databases of tests that are over: to empty one takes a tenth of the time that a new one does. */
const used: string[] = []

async function copyOf({ address, template }: { address: string; template: string }): Promise<string> {
  // Not counted: a test may load this module anew.
  const name = `svc_${randomBytes(8).toString('hex')}`
  await ask(address, `create database "${name}" template "${template}"`)
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}

const apart = new Set(['migrations', 'row_counts'])

async function empty(address: string): Promise<void> {
  const tables = await ask(address, `select tablename as name from pg_tables where schemaname = 'public'`)
  // The counts last: what is deleted is counted.
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
