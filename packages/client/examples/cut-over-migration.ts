// Starts a live migration, waits until the destination has caught up, and cuts over.
import { createClient, type v2025_03_12 } from '@svc-admin/client'
import { apiKey, baseUrl, clusterName, groupId } from './environment.ts'

const client = createClient({ baseUrl, credentials: apiKey, version: '2025-03-12' })
const body: v2025_03_12.MigrationRequestInput = {
  source: { clusterName: 'orders-onprem', groupId, managedAuthentication: true, ssl: true },
  destination: { clusterName, groupId, hostnameSchemaType: 'PUBLIC' },
  migrationHosts: ['mover-01.lindgren.example'],
  dropEnabled: false,
}
const { _id: liveMigrationId } = await client.createMigration({ groupId, body })
const read = () => client.getMigration({ groupId, liveMigrationId })
const ready = await client.waitFor('live-migration', read, {
  until: ({ readyForCutover }) => readyForCutover === true,
  timeoutMs: 24 * 3_600_000,
})
console.log('ready, lag in seconds:', ready.lagTimeSeconds)
await client.cutoverMigration({ groupId, liveMigrationId })
const { status } = await client.waitFor('live-migration', read, { until: 'COMPLETE' })
console.log('the migration is', status)
