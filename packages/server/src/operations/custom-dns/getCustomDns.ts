import { Stored } from '../../domain/stored.ts'
import { customDns } from '../../persistence/custom-dns.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'

export default operation('getCustomDns', async ({ world, path }) => {
  const enabled = await customDns.get(world.database, path.groupId)
  return resource(Stored.of({ enabled }), 'getCustomDns', path)
})
