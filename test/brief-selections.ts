import type { Selection } from '@svc-admin/contract'
import { loadRequirements } from '@svc-admin/spec'

/** Rules about credentials and formats. In the kit and in the server, all operations share the code for these rules. */
const alike = ['auth.', 'envelope.', 'parameters.', 'pretty.', 'versions.']

const others = loadRequirements()
  .map(({ id }) => id)
  .filter((id) => !alike.some((prefix) => id.startsWith(prefix)))

/**
 * Selects every rule once per operation, in the operation's newest version. Rules that are the same in all operations
 * are selected for only three operations, because they make up more than half of all checks.
 */
export const briefSelections: readonly Selection[] = [
  { brief: true, requirements: others },
  { brief: true, requirements: alike, operations: ['createAlertConfig', 'issueToken', 'listAlerts'] },
]
