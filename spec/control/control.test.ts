import { expect, it } from 'vitest'
import { controlDocument } from '../build/control.ts'
import { readYaml } from '../build/read-yaml.ts'
import { readDemo } from '../build/sources.ts'
import { lintWithRedocly } from '../lint/redocly.ts'

const document = controlDocument()
const text = JSON.stringify(document)

it('passes the strictest set of Redocly', async () => {
  expect(await lintWithRedocly(new Map([['control', document]]))).toEqual([])
})

it('uses every component, and refers to none that is not there', () => {
  const used = new Set(text.match(/#\/components\/\w+\/\w+/g))
  const there = Object.entries(document.components).flatMap(([kind, fields]) =>
    Object.keys(fields).map((name) => `#/components/${kind}/${name}`),
  )
  expect([...used].sort()).toEqual(there.sort())
})

it('names each operation once', () => {
  const ids = [...text.matchAll(/"operationId":"(\w+)","summary"/g)].map(([, id]) => id)
  expect(ids.length).toBeGreaterThan(30)
  expect(new Set(ids).size).toBe(ids.length)
})

it('takes the forms of identifiers, names and units from the files of the API', () => {
  const { schemas } = document.components
  const { identifier } = readYaml<{ identifier: { pattern: string; length: number } }>('facts/limits.yaml')
  const { pattern, length } = identifier
  expect(schemas.Identifier).toMatchObject({ type: 'string', pattern, minLength: length, maxLength: length })
  expect(JSON.stringify(document)).not.toMatch(/"\$ref":"[^#]/)
})

it('lists the collections of a seed, of which the demo organization has each', () => {
  expect(Object.keys(document.components.schemas.Seed?.properties ?? {}).sort()).toEqual(
    Object.keys(readDemo()).sort(),
  )
})
