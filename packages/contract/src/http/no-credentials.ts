/** The target didn't provide what all requests need: a challenge, or a token for valid credentials. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
  /** The status of a rejected token request. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}
