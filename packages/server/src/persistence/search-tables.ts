/** The tables of Search, as Kysely sees them. */
export interface SearchTables {
  search_analyzers: { group_id: string; cluster_name: string; document: string }
  search_indexes: SearchIndexTable
  search_nodes: SearchNodesTable
}

interface SearchIndexTable {
  id: string
  group_id: string
  cluster_name: string
  /** Digest of database and collection: their names may be longer together than a key can be. */
  collection_key: string
  /** Digest of database, collection and name. */
  name_key: string
  database_name: string
  collection_name: string
  name: string
  type: string
  state: string
  since: number
  /** 1 if an earlier definition was built, so that queries can go on meanwhile. */
  built: number
  /** Why the latest definition could not be built; empty otherwise. */
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
