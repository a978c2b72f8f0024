import { openKit } from '../kit.ts'
import { selectsCell } from '../model/selection.ts'
import { formatCount, formatNumber, wrap } from '../report/text.ts'
import { tryCredentials } from '../run-context/credentials.ts'
import { isAllowed } from '../run-context/holders.ts'
import { roleIds } from '../target/role-ids.ts'
import { selectionOf, targetOf, type Values } from './arguments.ts'
import type { Console } from './console.ts'
import { missingPrerequisitesOf } from './missing.ts'
import { checkAddress } from './target-check.ts'

/** A text behind a label, wrapped and indented. */
const labelled = (label: string, text: string, { columns }: Console): string =>
  text
    .split('\n')
    .flatMap((line) => wrap(line, columns - 10, { whole: true }))
    .map((line, index) => `${index === 0 ? label : ' '.repeat(label.length)} ${line}\n`)
    .join('')

/** `contract doctor`: reports what a run can test, and what is missing for the rest. */
export const doctorCommand = async (values: Values, console: Console): Promise<number> => {
  const target = targetOf(values)
  const selection = selectionOf(values)
  const kit = await openKit({ target, selection })
  const phases = { read: 0, refusal: 0, write: 0, alone: 0 }
  for (const { phase } of kit.plan.cases) phases[phase] += 1
  const reachable = new Set(kit.plan.cases.map(({ cell }) => cell.operation.id))
  const callable = kit.context.api.cells.filter(
    (cell) =>
      selectsCell(selection, cell) && roleIds.some((role) => isAllowed(role, cell) && target.roles[role]),
  )
  const called = new Set(callable.map(({ operation }) => operation.id)).size
  console.write(
    [
      `${target.baseUrl}: ${formatCount(kit.plan.cases.length, 'check')} on ${formatCount(reachable.size, 'operation')}`,
      `  ${formatNumber(phases.read)} read only, ${formatNumber(phases.refusal)} expect a rejection,`,
      `  ${formatNumber(phases.write)} create or change resources, ${formatNumber(phases.alone)} run alone`,
      `  The given credentials can call ${formatCount(called, 'operation')}`,
      '',
    ].join('\n'),
  )
  const missing = missingPrerequisitesOf(target, kit.plan.cases)
  if (missing.length === 0) console.write('Nothing is missing.\n')
  for (const { what, then } of missing) console.write(labelled('missing:', `${what}\n${then}`, console))
  try {
    await checkAddress(kit, console)
    // A copy of the demo organization has its own credentials.
    if (kit.context.demo.names.size > 0) {
      console.write('The run uses a copy of the demo organization, with its own credentials.\n')
      return 0
    }
    let rejected = 0
    for await (const { what, reason } of tryCredentials(kit.context, selection)) {
      if (reason === undefined) continue
      rejected += 1
      console.write(labelled('rejected:', `${what}: ${reason}`, console))
    }
    return rejected > 0 ? 2 : 0
  } finally {
    kit.close()
  }
}
