import { type Rule, timed } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { objectAt } from '../document/json.ts'
import { flatten } from '../document/probes.ts'
import type { Cell } from '../model/api.ts'
import { expectSuccess, isRefusal } from '../model/expect.ts'
import { Untestable } from '../model/signals.ts'
import {
  type AlertResponse,
  acknowledge,
  type Condition,
  type ConditionOptions,
  inSeconds,
  withAlert,
} from './alerts.ts'
import { expectTimestamp } from './successful-response.ts'

export const hour = 3600
export const century = 100 * 365.25 * 24 * hour

const flag = 'unacknowledgeAlert'

/**
 * Defines a rule with an alert of its own. These rules run one at a time, because all checks share the alerts that the
 * sandbox or a hook raises.
 */
export const onAlert = (
  use: (trial: Trial, alertId: string, condition: Condition) => Promise<void>,
  options: ConditionOptions = {},
): Rule => timed((trial) => withAlert(trial, (alertId, condition) => use(trial, alertId, condition), options))

export const expectAcknowledged = ({ alert, exchange }: AlertResponse, until: string): void =>
  expectTimestamp({ exchange, body: alert }, 'acknowledgedUntil', until)

/** Acknowledges an alert for a number of seconds, and returns the end of the acknowledgement. */
export const acknowledgedFor = async (trial: Trial, alertId: string, seconds: number): Promise<string> => {
  const acknowledgedUntil = await inSeconds(trial, seconds)
  const body = { acknowledgedUntil, acknowledgementComment: 'Seen' }
  expectAcknowledged(await acknowledge(trial, alertId, body), acknowledgedUntil)
  return acknowledgedUntil
}

/** If two rules test the same requirement, the second one needs a label. */
export const labeled = (label: string, rule: Rule): Rule => ({
  ...rule,
  variants: (cell) => rule.variants(cell).map((variant) => ({ ...variant, label })),
})

export const hasFlag = ({ definition: { body }, version }: Cell): boolean =>
  body !== undefined && flag in objectAt(flatten(version.document, body.schema), 'properties')

/** Returns whether the specification says how to unacknowledge alerts in this version. */
export const saysHowToUnacknowledge = (cell: Cell): boolean =>
  hasFlag(cell) || cell.version.generation === 'v1.0'

/**
 * Removes the acknowledgement of an alert.
 *
 * @throws Untestable if the target rejects the request and the specification doesn't say how to unacknowledge alerts in
 * this version.
 */
export const unacknowledge = async (trial: Trial, alertId: string): Promise<void> => {
  const { cell } = trial
  const body = hasFlag(cell) ? { [flag]: true } : {}
  const exchange = await trial.try({ parameters: { alertId }, body })
  if (!saysHowToUnacknowledge(cell) && isRefusal(exchange.response))
    throw new Untestable('a way to unacknowledge an alert')
  expectSuccess(exchange)
}
