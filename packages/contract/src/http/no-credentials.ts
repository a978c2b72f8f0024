/** Thrown if the kit can't authenticate, because the target returns no challenge or no token. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
  /** The status with which the target rejected a token request. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}
