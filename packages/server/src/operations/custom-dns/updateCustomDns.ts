import { Stored } from '../../domain/stored.ts'
import { customDns } from '../../persistence/custom-dns.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'

export default operation('updateCustomDns', async ({ world, path, body }) => {
  const { enabled } = body
  await customDns.put(world.database, path.groupId, enabled)
  return resource(Stored.of({ enabled }), 'getCustomDns', path)
})
