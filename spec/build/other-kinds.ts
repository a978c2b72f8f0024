import type { OpenApiDocument } from '../src/model.ts'

/**
 * A branch for kinds that the document does not know takes none of those that it does: else what is wrong with a known
 * kind would be right as another one.
 */
export function refuseKnownKinds({ components: { schemas } }: OpenApiDocument): void {
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
