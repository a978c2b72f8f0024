import type { RoleId } from '@svc-admin/types'
import type { Cell } from '../engine/api.ts'
import { buildCall, requestOf } from '../engine/call.ts'
import { tellAnswer } from '../engine/expect.ts'
import { type Selection, selectsCell } from '../engine/plan.ts'
import type { Authorization } from '../http/authorization.ts'
import { type Kit, openKit } from '../kit.ts'
import { counted, thousands, wrap } from '../report/text.ts'
import { isAllowed, roleIds } from '../world/holders.ts'
import { reasonOf } from '../world/lent.ts'
import type { World } from '../world/world.ts'
import { selectionOf, targetOf, type Values } from './arguments.ts'
import type { Console } from './console.ts'
import { lacksOf } from './lacks.ts'

/** Lines of a text behind a label of eight letters. */
const labelled = (label: string, text: string, { columns }: Console): string =>
  text
    .split('\n')
    .flatMap((line) => wrap(line, columns - 9, { whole: true }))
    .map((line, index) => `${index === 0 ? label : ' '.repeat(label.length)} ${line}\n`)
    .join('')

/** Something in the project that a role may read. */
const readableBy = (role: RoleId, { api, target }: World, asked: Selection): Cell | undefined =>
  api.cells.find(
    (cell) =>
      selectsCell(asked, cell) &&
      cell.operation.method === 'GET' &&
      cell.operation.security === 'api' &&
      isAllowed(role, cell) &&
      cell.operation.pathParameters.includes('groupId') &&
      cell.operation.pathParameters.every((name) => name === 'groupId' && target.things[name] !== undefined),
  )

/** Why the credentials of a role cannot be used as the target file says, or `undefined` when they can. */
const refusal = async (
  role: RoleId,
  as: Authorization,
  world: World,
  asked: Selection,
): Promise<string | undefined> => {
  const cell = readableBy(role, world, asked)
  if (cell === undefined) return undefined
  const call = buildCall(cell, { parameters: world.target.things, body: undefined, as })
  try {
    const exchange = await world.session.send(requestOf(call), as)
    const { status } = exchange.response
    return status < 400 || status >= 500 ? undefined : `GET ${call.path} got ${tellAnswer(exchange)}`
  } catch (error) {
    return reasonOf(error)
  }
}

/** Credentials in the target file that the target does not know, or that may not read the project. */
const refusals = async ({ world }: Kit, { versions }: Selection): Promise<string[]> => {
  // Those of a copy of the demo organisation come with it.
  if (world.demo.names.size > 0) return []
  const asked = versions === undefined ? {} : { versions }
  const found: string[] = []
  const note = async (what: string, role: RoleId, as: Authorization): Promise<void> => {
    const reason = await refusal(role, as, world, asked)
    if (reason !== undefined) found.push(`${what} of ${role}: ${reason}`)
  }
  for (const role of roleIds) {
    const { apiKey, serviceAccount } = world.target.roles[role] ?? {}
    if (apiKey) await note('the API key', role, { kind: 'digest', key: apiKey })
    if (serviceAccount) await note('the service account', role, { kind: 'bearer', account: serviceAccount })
  }
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
  const called = new Set(callable.map(({ operation }) => operation.id)).size
  console.write(
    [
      `${target.baseUrl}: ${counted(kit.plan.cases.length, 'check')} on ${counted(reachable.size, 'operation')}`,
      `  ${thousands(phases.read)} only read, ${thousands(phases.write)} create or change, ${thousands(phases.alone)} run alone`,
      `  ${counted(called, 'operation')} can be called with the credentials given`,
      '',
    ].join('\n'),
  )
  const missing = lacksOf(target, kit.plan.cases)
  if (missing.length === 0) console.write('Nothing is missing.\n')
  for (const { what, then } of missing) console.write(labelled('missing:', `${what}\n${then}`, console))
  try {
    await kit.expectAnswer()
    const refused = await refusals(kit, selection)
    for (const one of refused) console.write(labelled('refused:', one, console))
    return refused.length > 0 ? 2 : 0
  } finally {
    kit.close()
  }
}
