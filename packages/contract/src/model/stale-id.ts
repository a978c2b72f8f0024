/** A name in the target file that doesn't exist on the target. */
export interface StaleId {
  /** The name's place in the target file: `things.snapshotId` or `clusters`. */
  readonly field: string
  readonly value: string
  /** The request which shows that the resource doesn't exist, and the response. */
  readonly shownBy: string
}
