import { documentOf, newestVersion } from './documents.ts'

let known: ReadonlySet<string> | undefined

/** Names of all properties that are `writeOnly`: accepted in requests, never returned. */
export function writeOnlyFields(): ReadonlySet<string> {
  known ??= new Set(
    Object.values(documentOf(newestVersion).components.schemas).flatMap((schema) =>
      Object.entries(schema.properties ?? {}).flatMap(([name, field]) => (field.writeOnly ? [name] : [])),
    ),
  )
  return known
}
