import { scheduleOf, shownSchedule } from '../../backups/schedules.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'
import { backedUpCluster } from './backed-up-cluster.ts'

export default operation('getBackupSchedule', async (input) => {
  const { world, path, now } = input
  const cluster = await backedUpCluster(input)
  const schedule = await scheduleOf(world.database, cluster)
  return resource(shownSchedule(schedule, now), 'getBackupSchedule', path)
})
