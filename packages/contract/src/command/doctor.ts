import { selectsCell } from '../engine/plan.ts'
import { openKit } from '../kit.ts'
import { wrap } from '../report/text.ts'
import type { Holder, Target } from '../target/target.ts'
import { isAllowed, roleIds } from '../world/holders.ts'
import { selectionOf, targetOf, type Values } from './arguments.ts'
import type { Console } from './console.ts'

interface Lack {
  readonly what: string
  readonly then: string
}

const lacks = (target: Target): Lack[] => {
  const found: Lack[] = []
  const need = (present: unknown, what: string, then: string): void => {
    if (!present) found.push({ what, then })
  }
  const without = (kind: keyof Holder): string =>
    roleIds.filter((role) => !target.roles[role]?.[kind]).join(', ')
  const [keys, accounts] = [without('apiKey'), without('serviceAccount')]
  need(keys === '', `API keys of ${keys}`, 'what these roles may do is not tried with Digest')
  need(accounts === '', `service accounts of ${accounts}`, 'what these roles may do is not tried with Bearer')
  need(target.others?.noRole, 'credentials without any role', 'what a stranger learns is not tried')
  need(target.others?.otherProject, 'credentials of another project', 'what a neighbour learns is not tried')
  need(target.others?.restricted, 'credentials whose access list excludes you', 'access lists are not tried')
  need(target.foreign, 'identifiers of another tenant', 'that tenants are apart is not tried')
  need(target.things.orgId, 'the identifier of the organization', 'what organizations have is not tried')
  need(target.clusters?.length, 'clusters by tier', 'access history is not tried')
  need(target.control ?? target.hooks?.raiseEvent, 'a way to raise events', 'the life of alerts is not tried')
  need(target.control ?? target.hooks?.advanceClock, 'a way to move the clock', 'what expires is not tried')
  need(
    target.control ?? target.hooks?.addAccessLogs,
    'a way to add access logs',
    'filters are tried on what is there',
  )
  need(
    target.control ?? (target.hooks?.seed && target.hooks.unseed),
    'a way to put things in place and take them away',
    'what uses things up, and states that the API does not lead to, are not tried',
  )
  need(
    target.control ?? target.hooks?.arrange,
    'a way to arrange what only the platform does',
    'what fails by itself is not tried',
  )
  return found
}

/** `contract doctor`: says what a run would be able to test, and why not the rest. */
export const doctorCommand = async (values: Values, console: Console): Promise<number> => {
  const target = targetOf(values)
  const selection = selectionOf(values)
  const kit = await openKit({ target, selection })
  const phases = { read: 0, write: 0, alone: 0 }
  for (const { phase } of kit.plan.cases) phases[phase] += 1
  const reachable = new Set(kit.plan.cases.map(({ cell }) => cell.operation.id))
  const callable = kit.world.api.cells.filter(
    (cell) =>
      selectsCell(selection, cell) && roleIds.some((role) => isAllowed(role, cell) && target.roles[role]),
  )
  console.write(`${target.baseUrl}: ${kit.plan.cases.length} checks on ${reachable.size} operations\n`)
  console.write(`  ${phases.read} only read, ${phases.write} create or change, ${phases.alone} run alone\n`)
  console.write(
    `  ${new Set(callable.map(({ operation }) => operation.id)).size} of these can be called with the credentials given\n`,
  )
  const missing = lacks(target)
  if (missing.length === 0) console.write('Nothing is missing.\n')
  const width = console.columns - 9
  for (const { what, then } of missing) {
    const lines = [...wrap(what, width), ...wrap(then, width)]
    console.write(lines.map((line, index) => `${index === 0 ? 'missing: ' : '         '}${line}\n`).join(''))
  }
  try {
    await kit.expectAnswer()
  } finally {
    kit.close()
  }
  return 0
}
