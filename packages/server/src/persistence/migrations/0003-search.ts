import type { Builder } from '../statement.ts'
import { index, type Migration, table } from './migration.ts'

/** Creates the tables for analyzers, search indexes and search nodes. */
export const search: Migration = {
  id: 3,
  name: 'search',
  up: (db) => [
    table(db, 'search_analyzers', {
      text: ['group_id', 'cluster_name', 'document'],
      key: ['group_id', 'cluster_name'],
    }),
    // Used to find the hosts of a cluster, because a search index has a separate status on each host.
    index(db, 'cluster_hosts', 'group_id', 'cluster_name', 'hostname'),
    ...indexes(db),
    table(db, 'search_nodes', {
      text: ['group_id', 'cluster_name', 'id', 'state', 'specs'],
      numbers: ['since', 'created_at'],
      key: ['group_id', 'cluster_name'],
    }),
  ],
}

const indexes = (db: Builder) => [
  table(db, 'search_indexes', {
    text: [
      'id',
      'group_id',
      'cluster_name',
      'collection_key',
      'name_key',
      'database_name',
      'collection_name',
      'name',
      'type',
      'state',
      'failure',
      'definition',
    ],
    numbers: ['since', 'built', 'definition_version', 'defined_at', 'created_at'],
    // This key prevents concurrent requests from creating indexes with the same name.
    key: ['group_id', 'cluster_name', 'name_key'],
  }),
  index(db, 'search_indexes', 'id'),
  index(db, 'search_indexes', 'group_id', 'cluster_name', 'created_at', 'id'),
  index(db, 'search_indexes', 'group_id', 'cluster_name', 'state', 'since'),
  index(db, 'search_indexes', 'group_id', 'cluster_name', 'collection_key', 'created_at', 'id'),
]
