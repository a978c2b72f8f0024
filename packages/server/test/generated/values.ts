import type { Json, OpenApiDocument, Schema } from '@svc-admin/spec'
import type { Chance } from './chance.ts'

/** Options for generating values. */
export interface ValueSource {
  readonly document: OpenApiDocument
  readonly chance: Chance
  /** The IDs of existing and deleted resources. */
  readonly identifiers: readonly string[]
  /** The percentage of values that don't match their schema. */
  readonly wild: number
}

const deepest = 8

/**
 * Generates a value that matches or almost matches a schema. The value can be at a limit, just beyond a limit, or of a
 * different type.
 */
export function valueFor(source: ValueSource, schema: Schema, depth = 0): Json {
  const { document, chance } = source
  if (chance.percent(source.wild)) return wildValue(chance)
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    return valueFor(source, { ...target, ...without(schema, '$ref') }, depth)
  }
  if (schema.const !== undefined) return schema.const as Json
  const known = [...(schema.examples ?? []), ...(schema['x-known-values'] ?? [])]
  const example = chance.percent(40) ? chance.maybe(known) : undefined
  if (example !== undefined) return example
  const listed = chance.maybe(schema.enum ?? [])
  if (listed !== undefined) return listed
  const alternative = chance.maybe(schema.oneOf ?? schema.anyOf ?? [])
  if (alternative) return valueFor(source, alternative, depth)
  return valueOfKind(source, schema, depth)
}

function valueOfKind(source: ValueSource, schema: Schema, depth: number): Json {
  const type = Array.isArray(schema.type) ? source.chance.maybe(schema.type) : schema.type
  if (type === 'object') return objectOf(source, schema, depth)
  if (type === 'array') return arrayOf(source, schema, depth)
  if (type === 'integer' || type === 'number') return numberOf(source.chance, schema)
  if (type === 'boolean') return source.chance.percent(50)
  return type === 'null' ? null : textOf(source, schema)
}

function objectOf(source: ValueSource, schema: Schema, depth: number): Json {
  const { chance } = source
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const share = required.has(name) ? 98 : depth < deepest ? 40 : 0
    return chance.percent(share) ? [[name, valueFor(source, field, depth + 1)] as const] : []
  })
  const unknown = chance.percent(schema.additionalProperties === false ? 2 : 15)
  const own = unknown ? [[chance.pick(oddNames), wildValue(chance)] as const] : []
  return Object.fromEntries([...fields, ...own])
}

function arrayOf(source: ValueSource, schema: Schema, depth: number): Json {
  const { chance } = source
  const [least, most] = [numberAt(schema, 'minItems') ?? 0, numberAt(schema, 'maxItems') ?? 3]
  const beyond = chance.percent(1) ? most + 1 : undefined
  const count = depth > deepest ? least : (beyond ?? least + chance.below(Math.min(3, most - least + 1)))
  const { items = {} } = schema
  return Array.from({ length: count }, () => valueFor(source, items, depth + 1))
}

function numberOf(chance: Chance, schema: Schema): number {
  const [least, most] = [numberAt(schema, 'minimum') ?? -10, numberAt(schema, 'maximum') ?? 1000]
  const within = least + chance.below(Math.min(most - least + 1, 400))
  return chance.pick([within, within, within, within, least, most, least - 1, most + 1, within + 0.5])
}

function textOf(source: ValueSource, schema: Schema): string {
  const { chance } = source
  const format = typeof schema.format === 'string' ? formats[schema.format] : undefined
  if (format && chance.percent(80)) return chance.pick(format)
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : ''
  if (pattern.includes('{24}')) return chance.maybe(source.identifiers) ?? 'f'.repeat(24)
  const [least, most] = [numberAt(schema, 'minLength') ?? 0, numberAt(schema, 'maxLength') ?? 300]
  if (chance.percent(10))
    return chance.pick(['a'.repeat(most), 'a'.repeat(most + 1), 'a'.repeat(Math.max(0, least - 1))])
  const text = chance.pick(texts)
  return text.length < least ? text.padEnd(least, 'x') : text
}

const texts = [
  'orders',
  'orders-eu',
  'orders-global',
  'reports-serverless',
  'a',
  'Sales 2026',
  'lucene.standard',
  'äöü',
  '日本語',
  '🦄',
  'a/b',
  'a b',
  "'; drop table alerts; --",
  '%2e%2e',
  '../..',
  '<script>',
  '{"a":1}',
  '0',
  '-1',
  'null',
  'true',
  'AWS',
  'daily',
  'monthly',
  'automated',
  'HOST_DOWN',
  'EMAIL',
  'WEBHOOK',
  'a\u0000b',
  'a\nb',
  '\u202e',
  ' ',
  '',
] as const

const formats: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'date-time': [
    '2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00.123+02:00',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:60Z',
    '2026-02-30T00:00:00Z',
    '2026-03-01',
  ],
  email: ['a@svc.example', 'a@b', 'a b@svc.example', '"x"@[127.0.0.1]'],
  uri: [
    'https://svc.example/hook',
    'http://127.0.0.1:1/',
    'urn:x',
    'nonsense',
    'https://[::1',
    'javascript:alert(1)',
  ],
  ipv4: ['203.0.113.7', '0.0.0.0', '256.1.1.1', '1.1'],
}

const oddNames = [
  'noSuchField',
  '__proto__',
  'constructor',
  'toString',
  '',
  '$ref',
  'a/b~c',
  'id',
  'links',
] as const

const wildValues: readonly [Json, ...Json[]] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.5,
  1e21,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 31,
  '',
  'x',
  'x'.repeat(10_000),
  '\u0000',
  '\ud800',
  '__proto__',
  [],
  {},
  [[[[[[[[[[]]]]]]]]]],
  [null],
  { a: { b: { c: {} } } },
  { $ref: '#/' },
  ['a', 1, null],
  '2026-03-01T12:00:00Z',
]

const wildValue = (chance: Chance): Json => chance.pick(wildValues)

function numberAt(schema: Schema, name: string): number | undefined {
  const value = schema[name]
  return typeof value === 'number' ? value : undefined
}

function without(schema: Schema, name: string): Schema {
  const { [name]: _, ...rest } = schema
  return rest
}
