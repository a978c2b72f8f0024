/** Kysely types of the Search tables. */
export interface SearchTables {
  search_analyzers: { group_id: string; cluster_name: string; document: string }
  search_indexes: SearchIndexTable
  search_nodes: SearchNodesTable
}

interface SearchIndexTable {
  id: string
  group_id: string
  cluster_name: string
  /** Digest of database and collection. Their combined names may be too long for a key. */
  collection_key: string
  /** Digest of database, collection and name. */
  name_key: string
  database_name: string
  collection_name: string
  name: string
  type: string
  state: string
  since: number
  /** 1 if an earlier definition was built. Queries can continue to use it. */
  built: number
  /** The reason why the latest definition couldn't be built; empty otherwise. */
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
