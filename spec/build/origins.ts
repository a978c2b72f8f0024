import { posix } from 'node:path'
import type { Origins, VersionFact } from '../src/model.ts'
import { readYaml } from './read-yaml.ts'

/** For each path of each version, returns the version whose folder contains its definition. */
export function originsOf(versions: VersionFact[]): Origins {
  return Object.fromEntries(
    versions.map(({ id, folder }) => {
      const { paths } = readYaml<{ paths: Record<string, { $ref?: string }> }>(`${folder}/openapi.yaml`)
      const found = Object.entries(paths).map(([path, { $ref = '' }]) => {
        const file = posix.join(folder, $ref)
        const origin = versions.find((each) => file.startsWith(`${each.folder}/`))
        return [path, origin?.id ?? null]
      })
      return [id, Object.fromEntries(found)]
    }),
  )
}
