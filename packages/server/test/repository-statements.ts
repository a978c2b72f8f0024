import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { DatabaseDialect } from '../src/persistence/dialects/dialect.ts'
import type { CompiledStatement } from '../src/persistence/statement.ts'

const folder = join(import.meta.dirname, '../src/persistence')

/**
 * Every statement of every repository, in the words of a dialect. The modules are loaded anew: tests that ran before in
 * the same worker have declared statements of their own.
 */
export async function repositoryStatements(dialect: DatabaseDialect): Promise<readonly CompiledStatement[]> {
  vi.resetModules()
  const modules = readdirSync(folder).filter((name) => /^[a-z-]+\.ts$/.test(name))
  await Promise.all(modules.map((name) => import(join(folder, name))))
  const { declaredStatements } = await import('../src/persistence/statement.ts')
  // Few are read there, all of them, once.
  return declaredStatements(dialect).filter(
    ({ sql }) => sql !== 'select "id" from "migrations" order by "id"',
  )
}
