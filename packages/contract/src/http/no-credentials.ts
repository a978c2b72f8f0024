/** The target did not hand out what every request needs: a challenge, or a token for good credentials. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
}
