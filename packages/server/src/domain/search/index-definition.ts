import type { components } from '@svc-admin/types/newest'
import { objectsIn, textIn } from '../typed-fields.ts'

type Schemas = components['schemas']
export type IndexDefinition = Schemas['SearchIndexDefinition']
export type FtsIndexRequest = Schemas['FtsIndexRequest']

/** The fields of the legacy format that belong to the index definition. */
export type TextSettings = Omit<FtsIndexRequest, 'collectionName' | 'database' | 'name' | 'type'>

export const defaultType: Schemas['SearchIndexType'] = 'search'
const defaultAnalyzer: Schemas['AnalyzerName'] = 'lucene.standard'

/** The default settings of a text search index. */
const defaults = {
  analyzer: defaultAnalyzer,
  searchAnalyzer: defaultAnalyzer,
  numPartitions: 1,
  storedSource: false,
} as const

/** Converts a request in the legacy format to a definition that includes all defaults. */
export function definitionOf(request: FtsIndexRequest): TextSettings {
  const { collectionName: _collection, database: _database, name: _name, type: _type, ...settings } = request
  return { ...defaults, ...settings }
}

const settingNames = [
  'analyzer',
  'analyzers',
  'mappings',
  'numPartitions',
  'searchAnalyzer',
  'storedSource',
  'synonyms',
] as const

/** Returns a definition's settings in the legacy format, which supports only text search indexes. */
export function settingsOf(definition: IndexDefinition): Partial<Pick<Schemas['FtsIndex'], SettingName>> {
  if (isVector(definition)) return {}
  const known = Object.entries(definition).filter(([name]) => settingNames.some((one) => one === name))
  return { ...defaults, ...Object.fromEntries(known) }
}
type SettingName = (typeof settingNames)[number]

/** Returns the names of the synonym mappings in a text search index. */
export function synonymNames(definition: IndexDefinition): string[] {
  if (isVector(definition)) return []
  const { synonyms }: Schemas['TextSearchIndexDefinition'] = definition
  return objectsIn(synonyms).flatMap(({ name }) => textIn(name) ?? [])
}

/** Only vector search indexes have `fields`. */
const isVector = (definition: IndexDefinition): boolean => 'fields' in definition
