import { createHash } from 'node:crypto'
import type { IndexDefinition } from '../domain/search/index-definition.ts'
import type { IndexKey, Namespace, OnCluster } from '../domain/search/index-key.ts'
import type { StoredIndex } from '../domain/search/index-state.ts'
import { Stored } from '../domain/stored.ts'
import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

/** A stored search index. A search index can be created in the legacy or the current format. */
export interface SearchIndex extends Namespace, StoredIndex {
  readonly id: string
  readonly groupId: string
  readonly clusterName: string
  readonly name: string
  readonly type: string
  /** The reason why the latest definition couldn't be built, or an empty string if there was no error. */
  readonly failure: string
  readonly definition: Stored<IndexDefinition>
  readonly version: number
  readonly definedAt: number
  readonly createdAt: number
}

const columns = [
  'id',
  'group_id as groupId',
  'cluster_name as clusterName',
  'database_name as database',
  'collection_name as collectionName',
  'name',
  'type',
  'state',
  'since',
  'built',
  'failure',
  'definition',
  'definition_version as version',
  'defined_at as definedAt',
  'created_at as createdAt',
] as const

type Cluster = { groupId: string; clusterName: string }

const byId = (lock: boolean) =>
  statement((db, $: Slots<Cluster & { id: string }>, dialect) =>
    db
      .selectFrom('search_indexes')
      .select(columns)
      .where('id', '=', $('id'))
      .where('group_id', '=', $('groupId'))
      .where('cluster_name', '=', $('clusterName'))
      .$if(lock && dialect.locksRows, (query) => query.forUpdate()),
  )
const byName = (lock: boolean) =>
  statement((db, $: Slots<Cluster & { nameKey: string }>, dialect) =>
    db
      .selectFrom('search_indexes')
      .select(columns)
      .where('group_id', '=', $('groupId'))
      .where('cluster_name', '=', $('clusterName'))
      .where('name_key', '=', $('nameKey'))
      .$if(lock && dialect.locksRows, (query) => query.forUpdate()),
  )
const read = { byId: byId(false), byName: byName(false) }
const locked = { byId: byId(true), byName: byName(true) }
const ofCluster = statement((db, $: Slots<Cluster>) =>
  db
    .selectFrom('search_indexes')
    .select(columns)
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .orderBy('created_at')
    .orderBy('id'),
)
const ofCollection = statement((db, $: Slots<Cluster & { collectionKey: string }>) =>
  db
    .selectFrom('search_indexes')
    .select(columns)
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('collection_key', '=', $('collectionKey'))
    .orderBy('created_at')
    .orderBy('id'),
)
const inState = statement((db, $: Slots<Cluster & { state: string }>) =>
  db
    .selectFrom('search_indexes')
    .select(columns)
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('state', '=', $('state')),
)

interface Row {
  id: string
  groupId: string
  clusterName: string
  database: string
  collectionName: string
  name: string
  type: string
  state: string
  since: number
  built: number
  failure: string
  definition: string
  version: number
  definedAt: number
  createdAt: number
}

interface Values extends Row, Record<string, string | number> {
  collectionKey: string
  nameKey: string
}

const insert = statement((db, $: Slots<Values>) =>
  db.insertInto('search_indexes').values({
    id: $('id'),
    group_id: $('groupId'),
    cluster_name: $('clusterName'),
    collection_key: $('collectionKey'),
    name_key: $('nameKey'),
    database_name: $('database'),
    collection_name: $('collectionName'),
    name: $('name'),
    type: $('type'),
    state: $('state'),
    since: $('since'),
    built: $('built'),
    failure: $('failure'),
    definition: $('definition'),
    definition_version: $('version'),
    defined_at: $('definedAt'),
    created_at: $('createdAt'),
  }),
)
const update = statement((db, $: Slots<Values>) =>
  db
    .updateTable('search_indexes')
    .set({
      state: $('state'),
      since: $('since'),
      built: $('built'),
      failure: $('failure'),
      definition: $('definition'),
      definition_version: $('version'),
      defined_at: $('definedAt'),
    })
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId')),
)
const remove = statement((db, $: Slots<Cluster & { nameKey: string }>) =>
  db
    .deleteFrom('search_indexes')
    .where('group_id', '=', $('groupId'))
    .where('cluster_name', '=', $('clusterName'))
    .where('name_key', '=', $('nameKey')),
)

/** Reads and writes search indexes. Lists are sorted by creation time and include indexes that are being removed. */
export const searchIndexes = {
  get: (session: Session, on: OnCluster, key: IndexKey) => findBy(read, session, on, key),

  /** Returns an index. In a transaction, also locks the index. */
  find: (session: Session, on: OnCluster, key: IndexKey) => findBy(locked, session, on, key),

  async ofCluster(session: Session, { groupId, clusterName }: OnCluster): Promise<SearchIndex[]> {
    return (await session.all(ofCluster, { groupId, clusterName })).map(indexOf)
  },

  async ofCollection(session: Session, on: OnCluster, namespace: Namespace): Promise<SearchIndex[]> {
    const { groupId, clusterName } = on
    const collectionKey = collectionKeyOf(namespace)
    return (await session.all(ofCollection, { groupId, clusterName, collectionKey })).map(indexOf)
  },

  /**
   * Inserts an index.
   *
   * @throws {DuplicateError} if the namespace already has an index with this name.
   */
  async insert(session: Session, index: SearchIndex): Promise<void> {
    await session.all(insert, valuesOf(index))
  },

  async update(session: Session, index: SearchIndex): Promise<void> {
    await session.all(update, valuesOf(index))
  },

  /** Inserts an index, or replaces the index with the same name. */
  async replace(session: Session, index: SearchIndex): Promise<void> {
    await searchIndexes.remove(session, index)
    await searchIndexes.insert(session, index)
  },

  /** Returns a cluster's indexes with the given stored state. */
  async inState(session: Session, on: OnCluster, state: string): Promise<SearchIndex[]> {
    const { groupId, clusterName } = on
    return (await session.all(inState, { groupId, clusterName, state })).map(indexOf)
  },

  /** Deletes an index, which makes its name available again. */
  async remove(session: Session, index: SearchIndex): Promise<void> {
    const { groupId, clusterName } = index
    await session.all(remove, { groupId, clusterName, nameKey: nameKeyOf(index) })
  },
}

async function findBy(by: typeof read, session: Session, on: OnCluster, key: IndexKey) {
  const { groupId, clusterName } = on
  const row =
    'id' in key
      ? await session.one(by.byId, { groupId, clusterName, id: key.id })
      : await session.one(by.byName, { groupId, clusterName, nameKey: nameKeyOf(key) })
  return row && indexOf(row)
}

const indexOf = (row: Row): SearchIndex => ({
  ...row,
  built: row.built === 1,
  definition: Stored.from(row.definition),
})

function valuesOf({ definition, built, target: _, ...index }: SearchIndex): Values {
  return {
    ...index,
    collectionKey: collectionKeyOf(index),
    nameKey: nameKeyOf(index),
    built: built ? 1 : 0,
    definition: definition.text,
  }
}

const collectionKeyOf = ({ database, collectionName }: Namespace): string =>
  digest([database, collectionName])

const nameKeyOf = ({ database, collectionName, name }: Namespace & { readonly name: string }): string =>
  digest([database, collectionName, name])

const digest = (names: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(names)).digest('hex')
