/** The cluster that an index belongs to. */
export interface OnCluster {
  readonly groupId: string
  readonly clusterName: string
}

/** The collection that an index belongs to. */
export interface Namespace {
  readonly database: string
  readonly collectionName: string
}

/** Identifies an index, either by its ID or by its namespace and name. */
export type IndexKey = { readonly id: string } | (Namespace & { readonly name: string })
