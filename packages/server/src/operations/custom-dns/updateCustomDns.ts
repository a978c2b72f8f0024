import { Stored } from '../../domain/stored.ts'
import { customDns } from '../../persistence/custom-dns.ts'
import { resource } from '../answer.ts'
import { operation } from '../operation.ts'

export default operation('updateCustomDns', async ({ world, path, body }) => {
  const { enabled } = body
  await customDns.put(world.database, path.groupId, enabled)
  return resource(Stored.of({ enabled }), 'getCustomDns', path)
})
