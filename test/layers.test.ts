import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { circles, layerProblems } from '../scripts/layers.ts'

const root = join(import.meta.dirname, '..')
const kit = 'packages/contract/src/kit.ts'
const operation = 'packages/server/src/operations/alerts/getAlert.ts'

test.each([
  [kit, `import { a } from '../../server/src/index.ts'`],
  [kit, `import { a } from "@svc-admin/server"`],
  [kit, `import type { A } from '@svc-admin/server'`],
  [kit, `import '@svc-admin/server'`],
  [kit, `import '@svc-admin/client/testing'`],
  [kit, `import {\n  a,\n  b,\n} from '@svc-admin/client'`],
  [kit, `const a = 1; import { b } from '@svc-admin/client'`],
  [kit, `export * from '@svc-admin/server'`],
  [kit, `const server = await import('@svc-admin/server')`],
  [kit, `const server = () => import(\`../../server/src/index.ts\`)`],
  [kit, `type A = import('@svc-admin/server').A`],
  [kit, `import server = require('@svc-admin/server')`],
  [kit, `const server = require('@svc-admin/server')`],
  [kit, `import.meta.resolve('@svc-admin/server')`],
  [kit, `new URL('../../server/src/index.ts', import.meta.url)`],
  ['packages/client/src/index.ts', `import { a } from '@svc-admin/spec'`],
  ['packages/types/build.mjs', `import '@svc-admin/client'`],
  ['spec/build/main.ts', `import '../../packages/types/src/index.ts'`],
  [operation, `import { a } from '../../http/pipeline.ts'`],
  [operation, `import '../../http/pipeline.ts'`],
  [operation, `await import('../../sandbox/control.ts')`],
  ['packages/server/src/persistence/alerts.ts', `import { a } from '../world/world.ts'`],
  ['packages/server/src/domain/alert.ts', `import { a } from '../operations/registry.ts'`],
  ['packages/server/src/unheard-of/a.ts', `import { a } from '../domain/alert.ts'`],
  ['packages/server/src/auth/nonce.ts', `import type { A } from '../world/clock.ts'`],
  ['packages/contract/src/model/api.ts', `import type { A } from '../run/plan.ts'`],
  ['packages/contract/src/report/text.ts', `import { a } from '../kit.ts'`],
  ['packages/docs/src/pages/try.ts', `import { a } from '../site/menu.ts'`],
  ['packages/docs/src/browser/try.ts', `import type { A } from '../pages/try.ts'`],
])('%s must not contain %s', (path, text) => {
  expect(layerProblems(path, text)).toHaveLength(1)
})

test.each([
  [kit, `import { a } from '@svc-admin/types'; import './rules/rule.ts'; import '@svc-admin/contract'`],
  [kit, `// import '@svc-admin/server'\nconst text = "import '@svc-admin/server'"`],
  ['packages/contract/src/kit.test.ts', `import '@svc-admin/server'`],
  ['packages/contract/mutants/main.ts', `import '@svc-admin/server'`],
  [operation, `import { a } from '../../domain/alert.ts'; import { b } from '../registry.ts'`],
  ['packages/server/src/index.ts', `import './http/app.ts'`],
  ['test/story/story.ts', `import '@svc-admin/server'`],
])('%s may contain %s', (path, text) => {
  expect(layerProblems(path, text)).toEqual([])
})

test('files must not import each other in a circle, not even types', () => {
  const files = new Map([
    ['a/one.ts', `import type { Two } from './two.ts'`],
    ['a/two.ts', `export { three } from '../b/three.ts'`],
    ['b/three.ts', `import { one } from '../a/one.ts'`],
    ['b/four.ts', `import { one } from '../a/one.ts'; import { three } from './three.ts'`],
  ])
  expect(circles(files)).toEqual(['circular imports: a/one.ts, a/two.ts, b/three.ts'])
})

const folder = mkdtempSync(join(tmpdir(), 'svc-admin-layers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

test('the command fails and lists imports in the wrong direction', () => {
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  write('package.json', '{ "type": "module" }')
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  const check = () => {
    const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
    return spawnSync(process.execPath, [tsx, 'scripts/check-layers.ts'], { cwd: folder, encoding: 'utf8' })
  }
  write(kit, `import '@svc-admin/types'`)
  expect(check()).toMatchObject({ status: 0, stderr: '' })
  write(kit, `import '@svc-admin/server'`)
  write(operation, `import '../../http/pipeline.ts'`)
  expect(check()).toMatchObject({
    status: 1,
    stderr:
      `${kit}: packages/contract must not import @svc-admin/server\n` +
      `${operation}: operations must not import http (../../http/pipeline.ts)\n`,
  })
})
