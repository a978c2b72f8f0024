import { type CheckedServer, noon, projectId } from './checked-server.ts'

export const alerts = `/groups/${projectId}/alerts`
export const configs = `/groups/${projectId}/alertConfigs`
const minute = 60
export const inAnHour = new Date(noon + 3_600_000).toISOString()

/**
 * Creates an alert configuration for host failures. The configuration notifies one address after `delayMin` minutes,
 * and then every `intervalMin` minutes.
 */
export async function configure(
  server: CheckedServer,
  change: Record<string, unknown> = {},
): Promise<string> {
  const json = {
    eventTypeName: 'HOST_DOWN',
    enabled: true,
    notifications: [{ typeName: 'EMAIL', emailAddress: 'a@svc.example', delayMin: 5, intervalMin: 10 }],
    ...change,
  }
  return (await server.ask(configs, { method: 'POST', json })).textAt('id')
}

export async function happen(server: CheckedServer, change: Record<string, unknown> = {}): Promise<string> {
  const body = { groupId: projectId, eventTypeName: 'HOST_DOWN', clusterName: 'orders-eu', ...change }
  return (await server.control('POST', '/events', body)).textAt('alerts', 0)
}

export const advance = (server: CheckedServer, minutes: number) =>
  server.control('PUT', '/clock', { advanceSeconds: minutes * minute })

export async function sentFor(server: CheckedServer, alertId: string) {
  const all = (await server.control('GET', '/outbox')).listAt('notifications')
  return all.filter((one) => one.alertId === alertId)
}
