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
const group = "groupId: 'a'"
const alert = `${group}, alertId: 'b'`
const config = `${group}, alertConfigId: 'b'`

/** Ten calls, each with an operation ID, a path, arguments, and the property to read from the response. */
const subjects = [
  ['getAlert', 'GET /groups/{groupId}/alerts/{alertId}', alert, '.status'],
  ['listAlerts', 'GET /groups/{groupId}/alerts', group, '.results?.length'],
  ['listAlertConfigs', 'GET /groups/{groupId}/alertConfigs', group, '.totalCount'],
  ['getAlertConfig', 'GET /groups/{groupId}/alertConfigs/{alertConfigId}', config, '.enabled'],
  ['acknowledgeAlert', 'PATCH /groups/{groupId}/alerts/{alertId}', alert, '.acknowledgedUntil', '{}'],
  ['listMatcherFieldNames', 'GET /alertConfigs/matchers/fieldNames', '', '.length'],
  ['deleteAlertConfig', 'DELETE /groups/{groupId}/alertConfigs/{alertConfigId}', config, ''],
  ['getAuditingConfig', 'GET /groups/{groupId}/auditLog', group, '.enabled'],
  ['listAlertsByAlertConfig', 'GET /groups/{groupId}/alertConfigs/{alertConfigId}/alerts', config, '.links'],
  [
    'toggleAlertConfig',
    'PATCH /groups/{groupId}/alertConfigs/{alertConfigId}',
    config,
    '.id',
    '{ enabled: true }',
  ],
] as const

const create = "createClient({ baseUrl: 'https://cloud.example.com', version: '2024-05-30' })"
const programs: Readonly<Record<string, string>> = {
  'ours, creation alone': `import { createClient } from '@svc-admin/client'\nexport const client = ${create}`,
  'ours, 20 calls by name': `import { createClient } from '@svc-admin/client'
const client = ${create}
${repeat(byName)}`,
  'openapi-fetch, 20 calls': `import { createOpenapiClient } from '@svc-admin/client/openapi-fetch'
const client = ${create.replace('createClient', 'createOpenapiClient')}
${repeat(byPath)}`,
}

function subject(index: number): (typeof subjects)[number] {
  return subjects[index % subjects.length] ?? subjects[0]
}

function byName(index: number): string {
  const [id, , parameters, read, body] = subject(index)
  const args = [parameters, body && `body: ${body}`].filter(Boolean).join(', ')
  return `export const a${index} = (await client.${id}(${args && `{ ${args} }`}))${read}`
}

function byPath(index: number): string {
  const [, line, parameters, read, body] = subject(index)
  const [method, path] = line.split(' ')
  const params = parameters && `params: { path: { ${parameters} } }`
  const init = [params, body && `body: ${body}`].filter(Boolean).join(', ')
  const data = read.startsWith('.') ? `data?${read}` : 'data'
  return `export const p${index} = (await client.${method}('${path}'${init && `, { ${init} }`})).${data}`
}

/**
 * Compiles each program separately against the published declarations. Without peers, compiles only the programs for
 * this client.
 */
export function measureTypes(withPeers: boolean, compiler = 'typescript'): Work[] {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const folder = mkdtempSync(join(root, 'dist/bench-'))
  try {
    const chosen = Object.entries(programs).filter(([program]) => withPeers || program.startsWith('ours'))
    return chosen.map(([program, code]) => ({ program, ...compile(folder, code, compiler) }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function compile(folder: string, code: string, compiler: string): Omit<Work, 'program'> {
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
  const command = join(createRequire(import.meta.url).resolve(`${compiler}/package.json`), '../bin/tsc')
  const printed = execFileSync(process.execPath, [command, '--extendedDiagnostics'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(printed)?.[1])
  return { types: read('Types'), instantiations: read('Instantiations') }
}
