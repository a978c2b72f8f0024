/** The cluster that an index is on. */
export interface OnCluster {
  readonly groupId: string
  readonly clusterName: string
}

/** The collection that an index is of. */
export interface Namespace {
  readonly database: string
  readonly collectionName: string
}

/** How an index is found: by its identifier, or by where it is and what it is called. */
export type IndexKey = { readonly id: string } | (Namespace & { readonly name: string })
