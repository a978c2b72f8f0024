/** A name in the target file for which the target has no resource. */
export interface StaleId {
  /** Where the target file contains the name: `things.snapshotId` or `clusters`, for example. */
  readonly field: string
  readonly value: string
  /** The request and response that show that the resource doesn't exist. */
  readonly shownBy: string
}
