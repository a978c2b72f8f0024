import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { classify } from './classify.ts'

type Direction = 'request' | 'response'
type Row = { keywords: string[]; cautious?: boolean } & Record<'loose' | 'tight' | 'one' | 'other', unknown>
type Schemas = Record<string, unknown>

interface Table {
  narrowing: Row[]
  undecidable: Row[]
  same: Row[]
  components: Record<'both' | 'loose' | 'tight', Schemas>
}

const table: Table = parse(readFileSync(new URL('fixtures/keywords.yaml', import.meta.url), 'utf8'))
const { both, loose, tight } = table.components

/** Returns a document with one operation that has the schema in its request or its response. */
function documentOf(schema: unknown, components: Schemas, direction: Direction): unknown {
  const body = { content: { 'application/json': { schema } } }
  const operation = { operationId: 'do', ...(direction === 'request' ? { requestBody: body } : {}) }
  const responses = { 200: direction === 'response' ? body : {} }
  return {
    info: { version: '1' },
    paths: { '/': { post: { ...operation, responses } } },
    components: { schemas: { ...both, ...components } },
  }
}

/** Returns the changes' classes, most severe first. */
function classesOf(from: [unknown, Schemas], to: [unknown, Schemas], direction: Direction): string[] {
  const changes = classify(documentOf(...from, direction), documentOf(...to, direction))
  return changes.map((change) => change.class).filter((kind) => kind !== 'editorial')
}

const named = (rows: Row[]) => rows.map((row) => [row.keywords.join(', '), JSON.stringify(row), row] as const)

test.each(named(table.narrowing))(
  'for %s, narrowing breaks requests and widening breaks responses: %s',
  (_, __, row) => {
    const [wide, narrow] = [
      [row.loose, loose] as [unknown, Schemas],
      [row.tight, tight] as [unknown, Schemas],
    ]
    expect(classesOf(wide, narrow, 'request')).toContain('breaking')
    expect(classesOf(narrow, wide, 'response')).toContain('breaking')
    if (row.cautious) return
    for (const harmless of [classesOf(narrow, wide, 'request'), classesOf(wide, narrow, 'response')]) {
      expect(harmless).not.toContain('breaking')
      expect(harmless).toContain('additive')
    }
  },
)

const ways = (['request', 'response'] as const).map((direction) => ({ direction }))

test.each(named(table.undecidable))(
  'for %s, undecidable changes break or need a review in both directions: %s',
  (_, __, row) => {
    const [one, other] = [[row.one, loose] as [unknown, Schemas], [row.other, tight] as [unknown, Schemas]]
    for (const { direction } of ways) {
      expect(classesOf(one, other, direction)[0]).toMatch(/^(breaking|review)$/)
      expect(classesOf(other, one, direction)[0]).toMatch(/^(breaking|review)$/)
    }
  },
)

test.each(named(table.same))('for %s, equivalent schemas are no change: %s', (_, __, row) => {
  for (const { direction } of ways) {
    expect(classesOf([row.one, {}], [row.other, {}], direction)).toEqual([])
    expect(classesOf([row.other, {}], [row.one, {}], direction)).toEqual([])
  }
})

/** Returns all keywords in the meta-schema of a vocabulary. */
function keywordsOf(vocabulary: string): string[] {
  return Object.keys(JSON.parse(readFileSync(vocabulary, 'utf8')).properties)
}

test('covers every keyword of JSON Schema 2020-12 and OpenAPI', () => {
  const ajv = dirname(createRequire(import.meta.url).resolve('ajv/package.json'))
  const folder = join(ajv, 'dist/refs/json-schema-2020-12/meta')
  const standard = readdirSync(folder).flatMap((file) => keywordsOf(join(folder, file)))
  const openApi = ['discriminator', 'xml', 'externalDocs', 'example']
  const tried = new Set(
    [...table.narrowing, ...table.undecidable, ...table.same].flatMap((row) => row.keywords),
  )
  // These keywords don't restrict values, so `fixtures/changes.yaml` tests them instead.
  const elsewhere = new Set(['default', 'deprecated'])
  expect(standard.length).toBeGreaterThan(50)
  expect([...standard, ...openApi].filter((name) => !tried.has(name) && !elsewhere.has(name))).toEqual([])
})
