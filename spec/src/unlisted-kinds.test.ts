import { expect, test } from 'vitest'
import { findUnlistedKinds, loadDocument, loadFacts } from './index.ts'

test('finds the schema for undocumented notification types in every document', () => {
  for (const { id } of loadFacts().versions) {
    const found = [...findUnlistedKinds(loadDocument(id).components.schemas)]
    expect(found).toEqual([
      [
        'OtherNotification',
        {
          property: 'typeName',
          values: expect.arrayContaining(['EMAIL']),
          listed: expect.arrayContaining(['EmailNotification']),
        },
      ],
    ])
    expect(found[0]?.[1].listed).toHaveLength(14)
    expect(found[0]?.[1].values).toHaveLength(14)
  }
})

test('finds nothing in unions without a discriminator or without undocumented variants', () => {
  const parts = [{ $ref: '#/components/schemas/A' }, { type: 'object' }]
  const discriminator = { propertyName: 'kind', mapping: { a: 'A' } }
  expect(findUnlistedKinds({ Union: { anyOf: parts }, A: {} }).size).toBe(0)
  expect(findUnlistedKinds({ Union: { oneOf: parts, discriminator }, A: {} }).size).toBe(0)
})
