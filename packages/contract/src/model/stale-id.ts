/** A name in the target file that doesn't match any resource on the target. */
export interface StaleId {
  /** The location of the name in the target file, such as `things.snapshotId` or `clusters`. */
  readonly field: string
  readonly value: string
  /** The request and response that show that the resource doesn't exist. */
  readonly shownBy: string
}
