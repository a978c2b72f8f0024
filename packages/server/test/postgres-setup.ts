import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/persistence/database.ts'
import { migrate } from '../src/persistence/migrate.ts'
import { startPostgres } from './postgres-cluster.ts'

/** Starts a PostgreSQL cluster for all tests. Returns a function that stops the cluster. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startPostgres()
  const address = await cluster.createDatabase()
  const database = await openDatabase(address)
  await migrate(database)
  await database.close()
  const server = new URL(address)
  const template = server.pathname.slice(1)
  server.pathname = '/postgres'
  project.provide('postgres', { address: server.href, template })
  return () => cluster.stop()
}
