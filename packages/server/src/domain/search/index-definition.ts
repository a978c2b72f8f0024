import type { components } from '@svc-admin/types/newest'
import { objectsIn, textIn } from '../typed-fields.ts'

type Schemas = components['schemas']
export type IndexDefinition = Schemas['SearchIndexDefinition']
export type FtsIndexRequest = Schemas['FtsIndexRequest']

/** The fields in the legacy format that belong to the definition. */
export type TextSettings = Omit<FtsIndexRequest, 'collectionName' | 'database' | 'name' | 'type'>

export const defaultType: Schemas['SearchIndexType'] = 'search'
const defaultAnalyzer: Schemas['AnalyzerName'] = 'lucene.standard'

/** A text search index's default settings. */
const defaults = {
  analyzer: defaultAnalyzer,
  searchAnalyzer: defaultAnalyzer,
  numPartitions: 1,
  storedSource: false,
} as const

/** Converts a request in the legacy format to a definition, with defaults for omitted fields. */
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

/** Returns the settings in the legacy format, which supports only text search indexes. */
export function settingsOf(definition: IndexDefinition): Partial<Pick<Schemas['FtsIndex'], SettingName>> {
  if (isVector(definition)) return {}
  const known = Object.entries(definition).filter(([name]) => settingNames.some((one) => one === name))
  return { ...defaults, ...Object.fromEntries(known) }
}
type SettingName = (typeof settingNames)[number]

/** Returns the names of a text search index's synonym mappings. */
export function synonymNames(definition: IndexDefinition): string[] {
  if (isVector(definition)) return []
  const { synonyms }: Schemas['TextSearchIndexDefinition'] = definition
  return objectsIn(synonyms).flatMap(({ name }) => textIn(name) ?? [])
}

/** Only vector search indexes have `fields`. */
const isVector = (definition: IndexDefinition): boolean => 'fields' in definition
