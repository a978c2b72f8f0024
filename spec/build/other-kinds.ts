import type { OpenApiDocument } from '../src/model.ts'
import { findUnlistedKinds } from '../src/unlisted-kinds.ts'

/**
 * Changes the schemas for undocumented variants of unions to reject documented variants. Otherwise, these schemas would
 * accept documented variants with invalid fields.
 */
export function excludeDocumentedVariants({ components: { schemas } }: OpenApiDocument): void {
  for (const [name, { property, values }] of findUnlistedKinds(schemas)) {
    const field = schemas[name]?.properties?.[property]
    if (field) field.not = { enum: [...values] }
  }
}
