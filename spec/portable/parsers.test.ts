import SwaggerParser from '@apidevtools/swagger-parser'
import { validate } from '@scalar/openapi-parser'
import { describe, expect, test, vi } from 'vitest'
import { readFacts } from '../build/sources.ts'
import { bundles } from './bundles.ts'

vi.setConfig({ testTimeout: 60_000 })

test('has a bundle for each version', () => {
  expect(bundles.map(({ version }) => version)).toEqual(readFacts().versions.map(({ id }) => id))
})

describe.each(bundles)('the bundle of $version', ({ file, document }) => {
  test('is valid for @apidevtools/swagger-parser', async () => {
    await expect(SwaggerParser.validate(file)).resolves.toBeDefined()
  })

  test('is valid for @scalar/openapi-parser', async () => {
    const { valid, errors } = await validate(JSON.stringify(document))
    expect({ valid, errors }).toEqual({ valid: true, errors: [] })
  })
})
