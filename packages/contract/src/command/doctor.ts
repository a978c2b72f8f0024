import { openKit } from '../kit.ts'
import { selectsCell } from '../model/selection.ts'
import type { TestedOperation } from '../model/tested-operation.ts'
import { absentGroups, absentNames } from '../report/implementation.ts'
import { formatCount, formatNumber, wrap } from '../report/text.ts'
import { tryCredentials } from '../run-context/credentials.ts'
import { isAllowed } from '../run-context/holders.ts'
import { roleIds } from '../target/role-ids.ts'
import { selectionOf, targetOf, type Values } from './arguments.ts'
import type { Console } from './console.ts'
import { missingPrerequisitesOf } from './missing.ts'
import { checkAddress } from './target-check.ts'

const labelled = (label: string, text: string, { columns }: Console): string =>
  text
    .split('\n')
    .flatMap((line) => wrap(line, columns - label.length - 1, { whole: true }))
    .map((line, index) => `${index === 0 ? label : ' '.repeat(label.length)} ${line}\n`)
    .join('')

/** Lists the operations that the target doesn't implement, by area. */
const absentText = (operations: readonly TestedOperation[], console: Console): string => {
  const groups = absentGroups({ operations })
  const count = absentNames({ operations }).length
  if (groups.length === 0)
    return `${operations.length === 1 ? 'The operation is' : `All ${operations.length} operations are`} implemented.\n`
  return [
    `Not implemented (${count}). A run won't test these operations:\n`,
    ...groups.map(({ name, text }) => labelled(`  ${name}:`, text, console)),
  ].join('')
}

interface RejectedCredential {
  readonly what: string
  readonly kind: string
  readonly reason: string
}

/** If several credentials are rejected for the same reason, shows this reason only once. */
const rejectedTexts = (all: readonly RejectedCredential[]): string[] => {
  const causes = new Map<string, [RejectedCredential, ...RejectedCredential[]]>()
  for (const one of all) {
    // Remove the client ID so that identical reasons have the same key.
    const key = `${one.kind} ${one.reason.replace(/^a token for \S+/, '')}`
    const known = causes.get(key)
    if (known) known.push(one)
    else causes.set(key, [one])
  }
  return [...causes.values()].map(([{ what, reason }, ...others]) => {
    const more = others.length === 0 ? '' : `, and ${formatCount(others.length, 'other')}`
    return `${what}${more}: ${reason}`
  })
}

/** `contract doctor` shows which checks a run can perform, and what is missing for the remaining checks. */
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
    console.write(absentText(await kit.probe(), console))
    // The target file's credentials aren't valid for a copy of the demo organization.
    if (kit.context.demo.names.size > 0) {
      console.write('The run uses a copy of the demo organization that has its own credentials.\n')
      return 0
    }
    const stale = await kit.findStaleIds()
    for (const { field, value, shownBy } of stale)
      console.write(labelled('stale:', `${field} ${value}: ${shownBy}`, console))
    const rejected: RejectedCredential[] = []
    for await (const { what, kind, reason } of tryCredentials(kit.context, selection))
      if (reason !== undefined) rejected.push({ what, kind, reason })
    for (const text of rejectedTexts(rejected)) console.write(labelled('rejected:', text, console))
    return rejected.length + stale.length > 0 ? 2 : 0
  } finally {
    kit.close()
  }
}
