import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readFacts, root } from './sources.ts'

const names = [...readFacts().versions.map(({ id }) => id), 'control']

test.each(names)('%s says the same in JSON, and to readers of YAML 1.1 and 1.2', (name) => {
  const read = (ending: string) => readFileSync(join(root, 'dist', `${name}.${ending}`), 'utf8')
  const document = JSON.parse(read('json'))
  for (const version of ['1.1', '1.2'] as const) {
    // Compared as text, which tells a date from the text of a date.
    expect(JSON.stringify(parse(read('yaml'), { version })) === JSON.stringify(document)).toBe(true)
  }
})
