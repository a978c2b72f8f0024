import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { Checkout, type FileChange } from '../scripts/new/change.ts'
import { planDate } from '../scripts/new/date.ts'
import type { NewOperation } from '../scripts/new/new-operation.ts'
import { planOperation } from '../scripts/new/operation.ts'
import { planRequirement } from '../scripts/new/requirement.ts'
import { applyChangeTable } from './change-table.ts'
import { renameField } from './rename-field.ts'
import { type Copy, copyRepository, type Ended } from './story/copy.ts'

// Builds the scaffold's output in a copy of the repository. Each step depends on the previous step.
const minutes = 60_000
const date = '2099-02-28'

let copy: Copy
let checkout: Checkout
const write = (changes: readonly FileChange[]) => checkout.write(changes)
const done = (ended: Ended) => expect(ended.code, ended.output.slice(-4000)).toBe(0)
const build = async (workspace: string) => done(await copy.run('npm', ['run', 'build', '-w', workspace]))
const compile = async (folder: string, config = 'tsconfig.build.json') => {
  const tsc = join(copy.root, 'scripts/tsc.mjs')
  done(await copy.run(process.execPath, [tsc, '-p', config, '--noEmit'], folder))
}
const inSpec = async (script: string, ...args: string[]) =>
  done(await copy.run(process.execPath, ['--import', 'tsx', script, ...args], 'spec'))

const holds = async (files: readonly string[], ...flags: string[]) =>
  done(await copy.run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files, ...flags]))
/** Tests that cover all dates, limits or notification kinds, and might therefore contain copies of these values. */
const dated = [
  'spec/build/bundle.test.ts',
  'spec/diff/behavior.test.ts',
  'packages/contract/src/run/plan.test.ts',
  'packages/server/src/http/roles.test.ts',
  'packages/server/src/http/response-format.test.ts',
  'packages/server/src/http/validation.test.ts',
  'packages/types/generate/described-bounds.test.ts',
]

beforeAll(() => {
  copy = copyRepository()
  checkout = new Checkout(copy.root)
}, 5 * minutes)

afterAll(() => copy?.remove())

/** An operation for every method, with new schemas, existing schemas and no schemas. */
const operations: readonly Partial<NewOperation>[] = [
  { id: 'listThings', method: 'get', schema: 'ThingList' },
  { id: 'createThing', method: 'post', schema: 'Thing', area: 'Custom DNS' },
  { id: 'getThing', method: 'get', schema: 'Thing', path: '/groups/{groupId}/things/one' },
  { id: 'updateThing', method: 'patch', schema: 'Thing', path: '/groups/{groupId}/things/one' },
  { id: 'updateThings', method: 'put', schema: 'Thing' },
  { id: 'deleteThings', method: 'delete' },
  { id: 'getBareThing', method: 'get', path: '/groups/{groupId}/things/bare', since: '2024-08-05' },
  { id: 'takeBareThing', method: 'post', path: '/groups/{groupId}/things/bare', since: '2024-08-05' },
  { id: 'cutoverBareThing', method: 'put', path: '/groups/{groupId}/things/bare', since: '2024-08-05' },
  { id: 'toggleBareThing', method: 'patch', path: '/groups/{groupId}/things/bare', since: '2024-08-05' },
  { id: 'getKnownThing', method: 'get', path: '/groups/{groupId}/things/known', schema: 'Alert' },
]

test(
  'a generated date and the changes of the change table pass the ledger check, the linters and their tests',
  async () => {
    write(planDate(checkout, date))
    applyChangeTable(checkout)
    renameField(checkout, date)
    await build('spec')
    await inSpec('ledger/check.ts', '--record')
    await inSpec('lint/main.ts')
    await build('packages/types')
    await compile('packages/server')
    await build('packages/client')
    await holds(['packages/client/test/budgets.test.ts'], '-t', 'bytes')
    await holds(
      dated,
      '--project',
      'spec',
      '--project',
      'types',
      '--project',
      'contract',
      '--project',
      'server',
    )
  },
  5 * minutes,
)

test(
  'generated operations of every method and requirements in every case file build and compile',
  async () => {
    for (const responses of operations)
      write(
        planOperation(checkout, {
          id: '',
          method: '',
          path: '/groups/{groupId}/things',
          area: 'Alerts',
          summary: 'Do this or that',
          role: 'PROJECT_READ_ONLY',
          strength: 'stated',
          source: '4.4',
          ...responses,
        }),
      )
    for (const operation of operationsWithRows())
      write(
        planRequirement(checkout, {
          id: `${operation}.new-promise`,
          text: 'It takes application/*; q=*/* (so it is).',
          strength: 'stated',
          source: '4.4',
        }),
      )
    await build('spec')
    await inSpec('ledger/check.ts', '--record')
    await build('packages/types')
    await build('packages/client')
    await compile('packages/server')
    await compile('packages/contract')
    await compile('examples/implementer', 'tsconfig.json')
    await build('packages/docs')
  },
  10 * minutes,
)

/** Operations that have their own requirements file. */
function operationsWithRows(): string[] {
  const folder = join(copy.root, 'spec/requirements')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => {
      const { operations = [] }: { operations?: string[] } = parse(checkout.read(`spec/requirements/${name}`))
      return operations.length === 1 ? operations : []
    })
}
