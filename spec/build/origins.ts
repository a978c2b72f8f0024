import { posix } from 'node:path'
import type { Origins, VersionFact } from '../src/model.ts'
import { readYaml } from './read-yaml.ts'

/**
 * For each version, returns where each path is defined. A path is defined in the folder of the version that last
 * changed it.
 */
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
