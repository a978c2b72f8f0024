import { datesOf } from './read/dates.ts'
import { asNode } from './read/json.ts'
import { operationAt, operationsIn } from './read/operations.ts'
import { everyOperation, type Rule, type RuleContext } from './read/rule.ts'

/** Operations that the specification source mentions in section 4.7 but doesn't describe. */
const notShown = [
  'listFlexBackupRestoreJobs',
  'createFlexBackupRestoreJob',
  'getFlexBackupRestoreJob',
  'listFlexBackups',
  'getFlexBackup',
]

export const rule: Rule = {
  id: 'successor-exists',
  message:
    'x-deprecation.successor must be an operationId, or operationId@version for a later version. The operation must be in a document, or be mentioned in section 4.7 of the specification source.',
  why: 'The Link header and the deprecation notice refer to the successor.',
  scope: 'ours',
  given: everyOperation,
  function(operation, context) {
    const { successor } = asNode(asNode(operation)['x-deprecation'])
    if (successor === undefined) return []
    const fault = faultOf(String(successor), context)
    return fault ? [{ message: fault, path: [...context.path, 'x-deprecation', 'successor'] }] : []
  },
}

function faultOf(
  successor: string,
  { path, facts, version, document, documents }: RuleContext,
): string | undefined {
  const [id, date] = successor.split('@')
  if (notShown.includes(successor)) return undefined
  if (date !== undefined && !facts.versions.some((each) => each.id === date))
    return `${date} is not a known version`
  const operation = operationAt(document, path)
  const own = (operation && datesOf(document, operation).at(-1)) ?? version?.id ?? ''
  if (date !== undefined && date <= own) return `${date} is not later than ${own}`
  const target = date === undefined ? undefined : documents.get(date)
  const searched = target ? [target] : [document, ...documents.values()]
  const exists = searched.some((each) => operationsIn(each).some((operation) => operation.id === id))
  return exists ? undefined : `unknown operation ${successor}`
}
