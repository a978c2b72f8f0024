import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

/** What a folder of `src` may import, besides itself. Files at the top may import everything. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  specification: [],
  persistence: ['domain'],
  auth: ['domain', 'persistence', 'world'],
  world: ['auth', 'domain', 'persistence'],
  versions: [],
  alerting: ['domain', 'persistence', 'specification', 'world', 'operations'],
  backups: ['domain', 'persistence', 'world'],
  operations: ['alerting', 'auth', 'backups', 'domain', 'options', 'persistence', 'world'],
  http: ['auth', 'domain', 'operations', 'options', 'persistence', 'specification', 'versions', 'world'],
  sandbox: ['alerting', 'auth', 'backups', 'domain', 'http', 'persistence', 'specification', 'world'],
}

const root = import.meta.dirname
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name.includes('/'),
)

const layerOf = (path: string): string => path.split('/')[0]?.replace(/\.ts$/, '') ?? ''

it.each(files)('%s imports only what lies below it', (name) => {
  const imports = readFileSync(join(root, name), 'utf8').matchAll(/from '(\.[^']+)'/g)
  const own = layerOf(name)
  for (const [, target = ''] of imports) {
    const layer = layerOf(relative(root, resolve(root, dirname(name), target)))
    if (layer !== own) expect(mayImport[own] ?? []).toContain(layer)
  }
})

it('keeps SQL that only one database understands in its dialect file', () => {
  const foreign = files.filter(
    (name) => name.startsWith('persistence/') && !name.startsWith('persistence/dialects/'),
  )
  for (const name of foreign) {
    expect(readFileSync(join(root, name), 'utf8')).not.toMatch(
      /\b(PRAGMA|sqlite_|json_each|rowid|pg_|::text)\b/i,
    )
  }
})
