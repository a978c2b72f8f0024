import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Work {
  readonly program: string
  readonly types: number
  readonly instantiations: number
}

const calls = 20
const repeat = (line: (index: number) => string): string =>
  Array.from({ length: calls }, (_, index) => line(index)).join('\n')
const args = "{ groupId: 'a', alertId: 'b' }"

const byName = [
  `export const NAME = (await client.getAlert(${args})).status`,
  "export const NAME = (await client.listAlerts({ groupId: 'a' })).results?.length",
  "export const NAME = (await client.listAlertConfigs({ groupId: 'a' })).totalCount",
  "export const NAME = (await client.getAlertConfig({ groupId: 'a', alertConfigId: 'b' })).enabled",
  `export const NAME = (await client.acknowledgeAlert({ ...${args}, body: {} })).acknowledgedUntil`,
  'export const NAME = (await client.listMatcherFieldNames()).length',
  "export const NAME = await client.deleteAlertConfig({ groupId: 'a', alertConfigId: 'b' })",
  "export const NAME = (await client.listAccessLogsByCluster({ groupId: 'a', clusterName: 'b' })).accessLogs",
  "export const NAME = (await client.listAlertsByAlertConfig({ groupId: 'a', alertConfigId: 'b' })).links",
  "export const NAME = (await client.toggleAlertConfig({ groupId: 'a', alertConfigId: 'b', body: { enabled: true } })).id",
]

const create = "createClient({ baseUrl: 'https://cloud.example.com', version: '2024-05-30' })"
const programs: Readonly<Record<string, string>> = {
  'ours, creation alone': `import { createClient } from '@svc-admin/client'\nexport const client = ${create}`,
  'ours, 20 calls by name': `import { createClient } from '@svc-admin/client'
const client = ${create}
${repeat((index) => byName[index % byName.length]?.replace('NAME', `a${index}`) ?? '')}`,
  'ours, 20 calls by path': `import { createClient } from '@svc-admin/client'
const client = ${create}
${byPath()}`,
  'openapi-fetch, 20 calls': `import createClient from 'openapi-fetch'
import type { v2024_05_30 } from '@svc-admin/client'
const client = createClient<v2024_05_30.Paths>()
${byPath()}`,
}

function byPath(): string {
  return repeat(
    (index) =>
      `export const p${index} = (await client.GET('/groups/{groupId}/alerts/{alertId}', { params: { path: ${args} } })).data?.id`,
  )
}

/** Compiles each program by itself against the declarations that are published. */
export function measureTypes(): Work[] {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const folder = mkdtempSync(join(root, 'dist/bench-'))
  try {
    return Object.entries(programs).map(([program, code]) => ({ program, ...compile(folder, code) }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function compile(folder: string, code: string): Omit<Work, 'program'> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
  }
  writeFileSync(join(folder, 'main.mts'), code)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.mts'] }))
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const printed = execFileSync(process.execPath, [compiler, '--extendedDiagnostics'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(printed)?.[1])
  return { types: read('Types'), instantiations: read('Instantiations') }
}
