import { sha256 } from '../../auth/secrets.ts'
import { Stored } from '../../domain/stored.ts'
import { migrationLinks } from '../../persistence/migration-links.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'

/** The length of a token in bytes. An unsalted hash is secure enough, because tokens have 256 random bits. */
const tokenBytes = 32

/** Creates a link token. An organization has only one link token, so a new token invalidates the previous one. */
export default operation('createLinkToken', async ({ world, path, body, now }) => {
  const { orgId } = path
  const linkToken = `svc_lt_${world.random(tokenBytes).toString('base64url')}`
  await migrationLinks.putToken(world.database, {
    orgId,
    hash: sha256(linkToken),
    accessList: body.accessListIps ?? [],
    createdAt: now,
  })
  return resource(Stored.of({ linkToken }), 'createLinkToken', { orgId })
})
