/** A name in the target file whose resource doesn't exist on the target. */
export interface StaleId {
  /** Where the target file names it: `things.snapshotId` or `clusters`. */
  readonly field: string
  readonly value: string
  /** The request that shows it, and its response. */
  readonly shownBy: string
}
