/**
 * Thrown if the target doesn't provide what all requests need: either a challenge, or a token for valid credentials.
 */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
  /** The response status, if a token request was rejected. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}
