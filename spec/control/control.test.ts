import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { lintFilesWithRedocly } from '../lint/redocly.ts'

const file = fileURLToPath(new URL('openapi.yaml', import.meta.url))
const document: { paths: Record<string, Record<string, unknown>>; components: Record<string, object> } =
  parse(readFileSync(file, 'utf8'))
const text = JSON.stringify(document)

it('passes the strictest set of Redocly', async () => {
  expect(await lintFilesWithRedocly(new Map([['control/openapi.yaml', file]]))).toEqual([])
})

it('uses every component, and refers to none that is not there', () => {
  const used = new Set(text.match(/#\/components\/\w+\/\w+/g))
  const there = Object.entries(document.components).flatMap(([kind, members]) =>
    Object.keys(members).map((name) => `#/components/${kind}/${name}`),
  )
  expect([...used].sort()).toEqual(there.sort())
})

it('names each operation once', () => {
  const ids = [...text.matchAll(/"operationId":"(\w+)","summary"/g)].map(([, id]) => id)
  expect(ids.length).toBeGreaterThan(30)
  expect(new Set(ids).size).toBe(ids.length)
})
