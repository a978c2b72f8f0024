import type { Selection } from '@svc-admin/contract'
import { loadRequirements } from '@svc-admin/spec'

/** Rules about credentials and formats. Their code and the server's code for them are the same in all operations. */
const alike = ['auth.', 'envelope.', 'parameters.', 'pretty.', 'versions.']

const others = loadRequirements()
  .map(({ id }) => id)
  .filter((id) => !alike.some((prefix) => id.startsWith(prefix)))

/**
 * Selects every rule once per operation, in the operation's newest version. Rules that are alike in all operations are
 * selected in three operations only, because they are more than half of all checks.
 */
export const briefSelections: readonly Selection[] = [
  { brief: true, requirements: others },
  { brief: true, requirements: alike, operations: ['createAlertConfig', 'issueToken', 'listAlerts'] },
]
