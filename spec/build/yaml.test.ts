import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from './read-yaml.ts'
import { readFacts } from './sources.ts'

const names = [...readFacts().versions.map(({ id }) => id), 'control']

test.each(names)('%s is equal in JSON, YAML 1.1 and YAML 1.2', (name) => {
  const read = (ending: string) => readFileSync(join(root, 'dist', `${name}.${ending}`), 'utf8')
  const document = JSON.parse(read('json'))
  for (const version of ['1.1', '1.2'] as const) {
    // Compare the documents as JSON text. If YAML parses a string as a `Date`, the JSON text changes.
    expect(JSON.stringify(parse(read('yaml'), { version })) === JSON.stringify(document)).toBe(true)
  }
})
