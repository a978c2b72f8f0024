import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../build/read-yaml.ts'
import { readFacts } from '../build/sources.ts'
import { asNode, type JsonPath, pathOf, valueAt } from '../rules/read/json.ts'
import { operationsIn } from '../rules/read/operations.ts'
import { loadDocument } from '../src/index.ts'
import { SourceLocations } from './source-locations.ts'

const locations = new SourceLocations(root)
const { versions } = readFacts()
const index = (version: string) => `${versions.find(({ id }) => id === version)?.folder}/openapi.yaml`

/** Returns the file that contains the source of a node in a bundle, and the text of its line. */
function sourceOf(version: string, path: JsonPath): [string, string] | undefined {
  const found = locations.find(index(version), path)
  if (!found) return undefined
  const lines = readFileSync(join(root, found.file), 'utf8').split('\n')
  return [found.file, lines[found.line - 1]?.slice(found.column - 1) ?? '']
}

test.each([
  [
    '2025-03-12',
    '#/paths/~1groups~1{groupId}~1alerts/get/summary',
    'v2/2023-01-01/paths/alerts.yaml',
    'summary: ',
  ],
  ['2025-03-12', '#/components/schemas/Alert', 'v2/2023-01-01/schemas/Alert.yaml', 'description: '],
  ['2025-03-12', '#/components/parameters/groupId/schema', 'shared/parameters/groupId.yaml', 'schema: '],
  ['2025-03-12', '#/components/headers/Vary/description', 'shared/headers.yaml', 'description: '],
  ['2025-03-12', '#/info/version', 'v2/2025-03-12/openapi.yaml', 'version: '],
  [
    'v1.0',
    '#/paths/~1groups~1{groupId}~1alerts/get/responses/200/content/application~1json/schema',
    'v2/2023-01-01/paths/alerts.yaml',
    'schema: ',
  ],
])('finds the source of a node in %s: %s', (version, pointer, file, text) => {
  const [foundIn, found] = sourceOf(version, pathOf(pointer)) ?? []
  expect(foundIn).toBe(file)
  expect(found).toMatch(new RegExp(`^${text}`))
})

test('returns the closest ancestor of a generated node', () => {
  const path = pathOf('#/paths/~1groups~1{groupId}~1alerts/get/responses/429/description')
  const [, text] = sourceOf('2025-03-12', path) ?? []
  expect(text).toMatch(/^responses:/)
})

test.each(versions)('finds each operation and schema of $id in its own file', ({ id }) => {
  const document = loadDocument(id)
  const operations = operationsIn(document).map(({ path }) => [...path, 'operationId'])
  const schemas = Object.keys(document.components.schemas).map((name) => ['components', 'schemas', name])
  for (const path of operations)
    expect(sourceOf(id, path)?.[1]).toMatch(`operationId: ${String(valueAt(document, path))}`)
  for (const path of schemas) {
    const [file = '', text = ''] = sourceOf(id, path) ?? []
    const name = String(path.at(-1))
    expect(file.endsWith(`/${name}.yaml`) || text.startsWith(`${name}:`)).toBe(true)
    expect(asNode(valueAt(document, path))).not.toEqual({})
  }
})
