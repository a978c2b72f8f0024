import type { OpenApiDocument } from '../src/model.ts'

/**
 * Excludes documented variants from the branch for undocumented variants. Otherwise, an invalid documented variant
 * would be a valid undocumented variant.
 */
export function excludeDocumentedVariants({ components: { schemas } }: OpenApiDocument): void {
  for (const { discriminator, anyOf = [] } of Object.values(schemas)) {
    if (!isDiscriminator(discriminator)) continue
    const { propertyName, mapping } = discriminator
    const known = new Set(Object.values(mapping))
    for (const { $ref = '' } of anyOf) {
      const telling = schemas[$ref.split('/').at(-1) ?? '']?.properties?.[propertyName]
      if (telling && !known.has($ref)) telling.not = { enum: Object.keys(mapping) }
    }
  }
}

function isDiscriminator(value: unknown): value is { propertyName: string; mapping: Record<string, string> } {
  return typeof value === 'object' && value !== null && 'propertyName' in value && 'mapping' in value
}
