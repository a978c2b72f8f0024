import { isDeepStrictEqual } from 'node:util'
import { machinesWithModes, noModeMessage, type TransitionMode } from '../world/transition-modes.ts'
import type { World } from '../world/world.ts'
import type { ControlAction } from './control-action.ts'
import { ControlInputError, type Fields, fieldsOf, maybeNumber, text } from './fields.ts'

const shown = (world: World) => ({ transitions: stateOf(world).all() })
const show: ControlAction = async (world) => shown(world)

/**
 * Sets transition modes. Past transitions remain unchanged. The body is `{<lifecycle or *>: {mode, seconds?, reads?}}`.
 */
const set: ControlAction = async (world, body) => {
  const wanted = Object.entries(fieldsOf(body, 'The body')).flatMap(([name, value]) => {
    const mode = modeOf(fieldsOf(value, `'${name}'`))
    return machinesOf(name).map((machine) => ({ machine, mode }))
  })
  const before = stateOf(world).all()
  const latest = new Map(wanted.map(({ machine, mode }) => [machine, mode]))
  const changes = [...latest].filter(([machine, mode]) => !isDeepStrictEqual(before[machine], mode))
  const now = await (changes.some(([machine]) => isSudden(before[machine])) ? tick(world) : world.clock.now())
  if (changes.length > 0) await stateOf(world).set(new Map(changes), now, world.database)
  return shown(world)
}

/** Returns whether a resource can enter and leave a state within the same millisecond. */
const isSudden = (mode: TransitionMode | undefined): boolean =>
  mode !== undefined && mode.mode !== 'described' && mode.mode !== 'manual'

/**
 * Advances the clock by a millisecond. The new time distinguishes the earlier states from the states that resources
 * enter afterward.
 */
const tick = async ({ clock, database }: World): Promise<number> =>
  (await database.transaction((transaction) => clock.set({ advanceSeconds: 0.001 }, transaction))).now

/** Advances all waiting resources with a given lifecycle by one transition. The body is `{machine}`. */
const advance: ControlAction = async (world, body) => {
  const machines = machinesOf(text(fieldsOf(body, 'The body'), 'machine'))
  const now = await tick(world)
  await stateOf(world).release(machines, now, world.database)
  return { at: new Date(now).toISOString() }
}

function machinesOf(name: string): readonly string[] {
  if (name === '*') return machinesWithModes
  if (machinesWithModes.includes(name)) return [name]
  throw new ControlInputError(noModeMessage(name))
}

function modeOf(fields: Fields): TransitionMode {
  const mode = text(fields, 'mode')
  if (mode === 'described' || mode === 'immediate' || mode === 'manual') return { mode }
  if (mode === 'after') return { mode, seconds: amount(fields, 'seconds') }
  if (mode === 'reads') return { mode, reads: amount(fields, 'reads') }
  throw new ControlInputError("'mode' must be one of described, immediate, after, reads, manual")
}

function amount(fields: Fields, name: string): number {
  const value = maybeNumber(fields, name)
  if (value !== undefined && value >= 0) return value
  throw new ControlInputError(`'${name}' must be a number of at least 0`)
}

function stateOf({ sandbox }: World) {
  if (!sandbox) throw new Error('The world is not a sandbox')
  return sandbox.transitions
}

export const transitionActions: Readonly<Record<string, ControlAction>> = {
  'GET /transitions': show,
  'PUT /transitions': set,
  'POST /transitions/advance': advance,
}
