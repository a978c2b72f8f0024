import type { OpenApiDocument } from '@svc-admin/spec'
import { expect, test } from 'vitest'
import { resolveSchema } from './resolve.ts'

test('a reference keeps the decisions of its target', () => {
  const schemas = { Text: { type: 'string', maxLength: 9, 'x-decided': { maxLength: 'a' } } }
  const document = { components: { schemas } } as unknown as OpenApiDocument
  const schema = { $ref: '#/components/schemas/Text', 'x-decided': { type: 'b' } }
  expect(resolveSchema(document, schema)['x-decided']).toEqual({ maxLength: 'a', type: 'b' })
})
