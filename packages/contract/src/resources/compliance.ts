import type { Trial } from '../check/trial.ts'
import type { Json, JsonObject } from '../document/json.ts'
import type { Exchange } from '../http/exchange.ts'
import type { CallChanges } from '../model/call.ts'
import { item } from './backup-schedules.ts'
import { demoRow, pass, readAt, sendInAnyVersion } from './backups.ts'
import { knownOf } from './known-values.ts'
import { type OwnProject, ownProject } from './own-resources.ts'
import { type SuccessfulResponse, secondsIn } from './successful-response.ts'

/** A policy that contains only the required email address. */
export const leastPolicy: JsonObject = { authorizedEmail: 'compliance@contract.example' }

/** A policy in which no field has its default value. */
export const fullPolicy: JsonObject = {
  ...leastPolicy,
  authorizedUserFirstName: 'Astrid',
  authorizedUserLastName: 'Berg',
  copyProtectionEnabled: true,
  encryptionAtRestEnabled: true,
  pitEnabled: true,
  restoreWindowDays: 2,
  onDemandPolicyItem: item('ondemand', 1, 7),
  scheduledPolicyItems: [item('hourly', 6, 3), item('daily', 1, 7)],
}

/** A policy that has another value in every field of `fullPolicy`. */
export const otherPolicy: JsonObject = {
  authorizedEmail: 'earlier@contract.example',
  authorizedUserFirstName: 'Maria',
  authorizedUserLastName: 'Dahl',
  copyProtectionEnabled: false,
  encryptionAtRestEnabled: false,
  pitEnabled: false,
  onDemandPolicyItem: item('ondemand', 1, 3),
  scheduledPolicyItems: [item('daily', 1, 3)],
}

/** Creates a project with an active policy, which retains on-demand and daily snapshots for a week. */
export const ownPolicy = async (trial: Trial, differs: JsonObject = {}): Promise<OwnProject> => {
  const place = await ownProject(trial.context)
  const active = { deletable: false, state: 'ACTIVE', projectId: place.groupId }
  const { updatedDate = null, updatedUser = null } = demoRow('compliancePolicies')
  const policy = {
    ...leastPolicy,
    copyProtectionEnabled: false,
    encryptionAtRestEnabled: false,
    pitEnabled: false,
    onDemandPolicyItem: item('ondemand', 1, 7),
    scheduledPolicyItems: [item('daily', 1, 7)],
  }
  await trial.context.prerequisites.seed({
    compliancePolicies: [{ ...policy, updatedDate, updatedUser, ...active, ...differs }],
  })
  return place
}

/** Replaces the policy in the version under test. */
export const putPolicy = (
  trial: Trial,
  place: OwnProject,
  body: JsonObject,
  query: CallChanges['query'] = [],
): Promise<Exchange> => sendInAnyVersion(trial, place, 'updateCompliancePolicy', { body, query })

/** Returns the documented fields of a policy, except those that differ in every response. */
export const lastingOf = (trial: Trial, policy: Json): JsonObject =>
  knownOf(trial, 'getCompliancePolicy', policy, 'links', 'state')

export const readPolicy = (trial: Trial, place: OwnProject): Promise<SuccessfulResponse> =>
  readAt(trial, place, 'getCompliancePolicy')

/** Advances the clock until a new policy is active. */
export const passUntilActive = (trial: Trial): Promise<void> =>
  pass(trial, secondsIn('compliance-policy', 'ENABLING'))
