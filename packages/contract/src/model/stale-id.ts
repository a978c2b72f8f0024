/** A name in the target file for which the target has no resource. */
export interface StaleId {
  /** The location of the name in the target file, such as `things.snapshotId` or `clusters`. */
  readonly field: string
  readonly value: string
  /** The request and response that show that the resource doesn't exist. */
  readonly shownBy: string
}
