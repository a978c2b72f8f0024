/** Kysely types for the search tables. */
export interface SearchTables {
  search_analyzers: { group_id: string; cluster_name: string; document: string }
  search_indexes: SearchIndexTable
  search_nodes: SearchNodesTable
}

interface SearchIndexTable {
  id: string
  group_id: string
  cluster_name: string
  /** A digest of the database and collection names. The names themselves may be too long for a key. */
  collection_key: string
  /** A digest of the database, collection and index names. */
  name_key: string
  database_name: string
  collection_name: string
  name: string
  type: string
  state: string
  since: number
  /**
   * 1 if an earlier definition was built, otherwise 0. Queries use the earlier definition until the latest one is
   * built.
   */
  built: number
  /** The reason why the latest definition couldn't be built, or an empty string if there was no error. */
  failure: string
  definition: string
  definition_version: number
  defined_at: number
  created_at: number
}

interface SearchNodesTable {
  group_id: string
  cluster_name: string
  id: string
  state: string
  since: number
  specs: string
  created_at: number
}
