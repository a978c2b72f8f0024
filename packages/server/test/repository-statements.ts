import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { DatabaseDialect } from '../src/persistence/dialects/dialect.ts'
import type { CompiledStatement } from '../src/persistence/statement.ts'

const folder = join(import.meta.dirname, '../src/persistence')

/**
 * Returns the statements of all repositories, compiled for a dialect. Reloads the modules, because earlier tests in the
 * same worker may have declared additional statements.
 */
export async function repositoryStatements(dialect: DatabaseDialect): Promise<readonly CompiledStatement[]> {
  vi.resetModules()
  const modules = readdirSync(folder).filter((name) => /^[a-z-]+\.ts$/.test(name))
  await Promise.all(modules.map((name) => import(join(folder, name))))
  const { declaredStatements } = await import('../src/persistence/statement.ts')
  // The migrations table has only a few rows and is read only once at startup.
  return declaredStatements(dialect).filter(
    ({ sql }) => sql !== 'select "id" from "migrations" order by "id"',
  )
}
