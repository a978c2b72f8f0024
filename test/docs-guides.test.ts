import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const guides = path('../packages/docs/guides/')

/** Names that the guides' code assumes. */
const given: Readonly<Record<string, string>> = {
  groupId: 'declare const groupId: string',
  alertId: 'declare const alertId: string',
  clusterName: 'declare const clusterName: string',
  baseUrl: 'declare const baseUrl: string',
  credentials: 'declare const credentials: { clientId: string; clientSecret: string }',
}

function programs(): Map<string, string> {
  return new Map(
    readdirSync(guides).flatMap((guide) =>
      [...readFileSync(join(guides, guide), 'utf8').matchAll(/```typescript\n([\s\S]*?)```/g)].map(
        ([, text = ''], index): [string, string] => {
          const code = text.replaceAll('{{newest.id}}', '2025-03-12')
          const lines = [
            ...(code.includes('import { createClient }')
              ? []
              : ["import { createClient } from '@svc-admin/client'"]),
            ...Object.entries(given).flatMap(([name, line]) => (code.includes(name) ? [line] : [])),
            ...(code.includes('const client =')
              ? []
              : [
                  "const client = createClient({ baseUrl: '', credentials: { clientId: '', clientSecret: '' }, version: '2025-03-12' })",
                ]),
          ]
          return [`${guide.replace('.md', '')}-${index}.mts`, [...lines, code].join('\n')]
        },
      ),
    ),
  )
}

test('the TypeScript blocks of the guides compile', { timeout: 240_000 }, async () => {
  mkdirSync(path('./node_modules/'), { recursive: true })
  const folder = mkdtempSync(path('./node_modules/.guides-'))
  try {
    const found = programs()
    expect(found.size).toBeGreaterThan(8)
    for (const [name, text] of found) writeFileSync(join(folder, name), text)
    const options = { noEmit: true, allowImportingTsExtensions: true, types: ['node'] }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: path('../tsconfig.base.json'),
        compilerOptions: options,
        include: ['*.mts'],
      }),
    )
    const compiler = path('../scripts/tsc.mjs')
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error)
    expect(stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
