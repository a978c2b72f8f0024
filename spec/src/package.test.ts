import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readFacts } from '../build/sources.ts'
import {
  loadChangelog,
  loadDemo,
  loadDocument,
  loadFacts,
  loadLedger,
  loadRequirements,
  loadWorkflows,
} from './index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const options = ['pack', '--dry-run', '--json', '--ignore-scripts']
const printed = execFileSync('npm', options, {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
})
const [packed]: { files: { path: string }[] }[] = JSON.parse(printed)
const files = new Set(packed?.files.map(({ path }) => path))
const { versions } = loadFacts()
const workflows = Object.entries(loadWorkflows())

test('publishes every version as JSON and YAML, and its provenance as an overlay', () => {
  expect(versions.map(({ id }) => id)).toEqual(readFacts().versions.map(({ id }) => id))
  for (const { id } of versions)
    for (const file of [`dist/${id}.json`, `dist/${id}.yaml`, `dist/${id}.overlay.json`])
      expect(files).toContain(file)
})

test.each(versions)('the files of $id have no provenance', ({ id }) => {
  for (const file of [`dist/${id}.json`, `dist/${id}.yaml`])
    expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/x-(strength|source|decided)\b/)
})

test('publishes the ledger, facts, changelog and demo data, with types', () => {
  const data = ['requirements', 'ledger', 'facts', 'changelog', 'demo', 'workflows', 'lint-rules', 'origins']
  for (const name of data) expect(files).toContain(`dist/${name}.json`)
  for (const name of ['index.js', 'index.d.ts', 'model.js', 'model.d.ts'])
    expect(files).toContain(`dist/${name}`)
})

test('loads complete data', () => {
  expect(Object.keys(loadDocument('2025-03-12').paths).length).toBeGreaterThan(40)
  expect(loadRequirements().length).toBeGreaterThan(500)
  expect(loadLedger().length).toBeGreaterThan(1500)
  expect(loadChangelog()).toHaveLength((versions.length * (versions.length - 1)) / 2)
  expect(Object.keys(loadDemo())).toContain('clusters')
})

test('publishes each workflow and the bundle it refers to', () => {
  expect(workflows).toHaveLength(9)
  for (const [name, { sourceDescriptions }] of workflows) {
    expect(files).toContain(`dist/workflows/${name}.yaml`)
    for (const { url } of sourceDescriptions)
      expect(files).toContain(posix.join('dist/workflows', posix.normalize(url)))
  }
})

test('publishes no other files', () => {
  const other = [...files].filter((path) => !/^(dist\/|LICENSE$|README\.md$|package\.json$)/.test(path))
  expect(other).toEqual([])
})

test('declarations import published files only', () => {
  const names = [...files].filter((path) => path.endsWith('.d.ts'))
  for (const name of names)
    for (const [, target = ''] of readFileSync(join(root, name), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      expect(target).toMatch(/\.js$/)
      expect(existsSync(join(root, dirname(name), target.replace(/\.js$/, '.d.ts')))).toBe(true)
    }
})
