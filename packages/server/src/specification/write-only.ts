import { documentOf, newestVersion } from './documents.ts'

let known: ReadonlySet<string> | undefined

/** Returns the names of all `writeOnly` properties. Only requests can contain these properties. */
export function writeOnlyFields(): ReadonlySet<string> {
  known ??= new Set(
    Object.values(documentOf(newestVersion).components.schemas).flatMap((schema) =>
      Object.entries(schema.properties ?? {}).flatMap(([name, field]) => (field.writeOnly ? [name] : [])),
    ),
  )
  return known
}
