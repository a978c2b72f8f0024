import type { OpenApiDocument } from '../src/model.ts'
import { findUnlistedKinds } from '../src/unlisted-kinds.ts'

/**
 * Unions can have a schema for undocumented variants. Changes these schemas so that they reject documented variants.
 * Otherwise, they would accept documented variants with invalid fields.
 */
export function excludeDocumentedVariants({ components: { schemas } }: OpenApiDocument): void {
  for (const [name, { property, values }] of findUnlistedKinds(schemas)) {
    const field = schemas[name]?.properties?.[property]
    if (field) field.not = { enum: [...values] }
  }
}
