import { documentOf, newestVersion } from './documents.ts'

let known: ReadonlySet<string> | undefined

/** Names of the members that are taken and never sent back (`writeOnly` in the schemas). */
export function writeOnlyFields(): ReadonlySet<string> {
  known ??= new Set(
    Object.values(documentOf(newestVersion).components.schemas).flatMap((schema) =>
      Object.entries(schema.properties ?? {}).flatMap(([name, field]) => (field.writeOnly ? [name] : [])),
    ),
  )
  return known
}
