import { sha256 } from '../../auth/secrets.ts'
import { Stored } from '../../domain/stored.ts'
import { credentials } from '../../persistence/credentials.ts'
import { operation } from '../operation.ts'

/** The length of a token in bytes. An unsalted hash is secure enough, because tokens have 256 random bits. */
const tokenBytes = 32

export default operation('issueToken', async ({ world, now, principal }) => {
  const token = `svc_at_${world.random(tokenBytes).toString('base64url')}`
  const kept = { clientId: principal.id, expiresAt: now + world.tokenLifetime * 1000 }
  await credentials.insertToken(world.database, sha256(token), kept, now)
  const response = { access_token: token, token_type: 'Bearer' as const, expires_in: world.tokenLifetime }
  return { kind: 'resource', document: Stored.of(response), self: undefined }
})
