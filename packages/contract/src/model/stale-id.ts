/** A name in the target file whose resource doesn't exist on the target. */
export interface StaleId {
  /** Where the target file contains the name: `things.snapshotId` or `clusters`. */
  readonly field: string
  readonly value: string
  /** The request that shows that the resource doesn't exist, and its response. */
  readonly shownBy: string
}
