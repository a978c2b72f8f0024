/** Thrown if the target provides neither a challenge nor a token for valid credentials. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
  /** The status of a rejected token request. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}
