/** The target did not hand out what every request needs: a challenge, or a token for good credentials. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
  /** The status that a token was refused with. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}
