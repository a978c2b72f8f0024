/** Kysely types of the tables for search. */
export interface SearchTables {
  search_analyzers: { group_id: string; cluster_name: string; document: string }
  search_indexes: SearchIndexTable
  search_nodes: SearchNodesTable
}

interface SearchIndexTable {
  id: string
  group_id: string
  cluster_name: string
  /** The digest of the database's and collection's names, which together may be too long for a key. */
  collection_key: string
  /** The digest of the database's, collection's and index's names. */
  name_key: string
  database_name: string
  collection_name: string
  name: string
  type: string
  state: string
  since: number
  /** 1 if an earlier definition was built, which queries continue to use. */
  built: number
  /** The reason why the latest definition couldn't be built. Otherwise empty. */
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
