import { root } from '../build/read-yaml.ts'
import type { JsonPath } from '../rules/read/json.ts'
import type { VersionFact } from '../src/model.ts'
import { SourceLocations, sourceText } from './source-locations.ts'

/** Finds the YAML position of a node in a version's document or in one of our own files. */
export interface Sources {
  ofVersion(version: string, path: JsonPath): string | undefined
  ofFile(file: string, path: JsonPath): string | undefined
}

/**
 * @param from The folder that the returned file paths are relative to.
 * @param folder The folder with the source files.
 */
export function sourcesFrom(from: string, versions: readonly VersionFact[], folder = root): Sources {
  const locations = new SourceLocations(folder)
  const indexes = new Map(versions.map(({ id, folder: own }) => [id, `${own}/openapi.yaml`]))
  const ofFile = (file: string, path: JsonPath) => {
    const found = locations.find(file, path)
    return found && sourceText(found, folder, from)
  }
  return { ofFile, ofVersion: (version, path) => ofFile(indexes.get(version) ?? '', path) }
}
