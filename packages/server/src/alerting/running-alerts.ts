import { closed, indefinitely, nextDue, retargeted, rewound } from '../domain/alert.ts'
import type { AlertConfig } from '../persistence/alert-configs.ts'
import { type Alert, alerts } from '../persistence/alerts.ts'
import type { Transaction } from '../persistence/database.ts'
import type { World } from '../world/world.ts'
import { settle } from './settle.ts'
import { targetsOf } from './targets.ts'

/**
 * Updates the running alerts after their configuration has changed. The alerts then notify the new targets, or send no
 * notifications if the configuration is disabled.
 */
export function updateRunningAlerts(
  transaction: Transaction,
  world: World,
  config: AlertConfig,
  now: number,
) {
  const { notifications, severityOverride } = config.document.value()
  const targets = targetsOf(notifications)
  const silentUntil = config.enabled ? now : indefinitely
  return changeRunning(transaction, world, config.id, now, (alert) => ({
    ...alert,
    severity: severityOverride,
    silentUntil,
    targets: retargeted(alert.targets, targets),
  }))
}

/** Silences the running alerts of a deleted configuration. */
export function silenceRunningAlerts(transaction: Transaction, world: World, configId: string, now: number) {
  return changeRunning(transaction, world, configId, now, (alert) => ({
    ...alert,
    silentUntil: indefinitely,
  }))
}

async function changeRunning(
  transaction: Transaction,
  world: World,
  configId: string,
  now: number,
  change: (alert: Alert) => Alert,
): Promise<void> {
  for (const alert of await alerts.ofConfig(transaction, configId, closed)) {
    // First send the notifications that are due under the old configuration.
    // Then move the alert's future times back, because the clock may have been set back while the alert was silent.
    const changed = change(rewound(await settle(transaction, world, alert, now), now))
    await alerts.put(transaction, { ...changed, dueAt: nextDue(changed, now) })
  }
}
