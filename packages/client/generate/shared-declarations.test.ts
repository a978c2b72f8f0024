import { expect, test } from 'vitest'
import { shareDeclarations } from './shared-declarations.ts'

const declare = (types: Record<string, string>) =>
  Object.entries(types).map(([name, type]) => ({ name, text: `export type ${name} = ${type}` }))

test('declares an unchanged type once, in its first version', () => {
  const shared = shareDeclarations(
    new Map([
      ['1', declare({ A: 'string' })],
      ['2', declare({ A: 'string', B: 'A[]' })],
      ['3', declare({ A: 'string', B: 'A[]' })],
    ]),
  )
  expect(shared.get('2')?.own.map(({ name }) => name)).toEqual(['B'])
  expect(shared.get('3')).toEqual({
    own: [],
    imported: new Map([
      ['1', ['A']],
      ['2', ['B']],
    ]),
  })
})

test('declares a type again when any type that it depends on changed', () => {
  const shared = shareDeclarations(
    new Map([
      ['1', declare({ A: 'string', B: 'A[]', C: '{ b: B }', D: 'number' })],
      ['2', declare({ A: 'boolean', B: 'A[]', C: '{ b: B }', D: 'number' })],
    ]),
  )
  expect(shared.get('2')?.own.map(({ name }) => name)).toEqual(['A', 'B', 'C'])
})
