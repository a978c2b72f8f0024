import type { OpenApiDocument } from '../src/model.ts'
import { findUnlistedKinds } from '../src/unlisted-kinds.ts'

/**
 * Excludes documented variants from the schema for undocumented ones. Otherwise, an invalid documented variant would
 * be valid there.
 */
export function excludeDocumentedVariants({ components: { schemas } }: OpenApiDocument): void {
  for (const [name, { property, values }] of findUnlistedKinds(schemas)) {
    const field = schemas[name]?.properties?.[property]
    if (field) field.not = { enum: [...values] }
  }
}
