import { always, type Rule, rules } from '../engine/rule.ts'
import { Untestable } from '../engine/signals.ts'

/**
 * Requirements that the kit has no case for yet: `area: promise promise`. They are reported as such, so that no run
 * looks as if it had tried them. Whoever writes a case takes its id off.
 */
const listed = `
  accessHistory: tiers-code
  acknowledgeAlert: omitted-unacknowledges-in-first-date
  auth: challenge-not-stale
  bodies: decided-bounds
  cancelRestoreJob: cancels ended-refused
  cluster-kinds: clusters-only flex-clusters own-kind-only serverless-instances serverless-only
  cluster-kinds: serverless-sunset
  createRestoreJob: answers-with-restore-job automated-needs-snapshot automated-needs-target delivery-types
  createRestoreJob: download-needs-no-target download-needs-snapshot epoch-seconds-bound oplog-inc-from-1
  createRestoreJob: oplog-members-together point-in-time-needs-moment point-in-time-needs-target
  createRestoreJob: point-in-time-one-moment snapshot-must-be-completed snapshot-must-exist target-must-exist
  createRestoreJob: target-needs-role
  createServerlessRestoreJob: answers-with-serverless-restore-job point-in-time-needs-moment
  createServerlessRestoreJob: snapshot-must-be-completed target-always-required target-must-be-serverless
  getRestoreJob: answers-with-restore-job components desired-timestamp private-downloads
  getServerlessRestoreJob: answers-with-serverless-restore-job no-cluster-members
  getServerlessSnapshot: answers-with-serverless-snapshot
  issueToken: error-has-its-status limited-per-client wrong-secret-code
  listRestoreJobs: lists-the-cluster
  listServerlessRestoreJobs: lists-the-instance
  operations: method-and-path
  pretty: two-spaces
  resources: links-array
  restore-job: download-delivered expired finished only-downloads-delivered running
  roles: other-role-refused-code
  versions: current-carries-no-deprecation served-after-sunset
`

/** The ids of these requirements. */
export const withoutCase: readonly string[] = listed
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [area = '', ...promises] = line.trim().split(/:? /)
    return promises.map((promise) => `${area}.${promise}`)
  })

const untried: Rule = always(
  async () => {
    throw new Untestable('the kit has no case for it yet')
  },
  { phase: 'read' },
)

export default rules(Object.fromEntries(withoutCase.map((id) => [id, untried])))
