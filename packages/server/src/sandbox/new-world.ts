import { worldIdPattern } from '../http/world-path.ts'
import type { ClockChange } from '../world/clock.ts'
import { clockChange } from './clock-change.ts'
import { ControlInputError, type Fields, fieldsOf, maybeText } from './fields.ts'

/** What a new world shall be. */
export interface NewWorld {
  /** Lower-case letters, digits and hyphens, 63 at most; one is made up if it is absent. */
  readonly id?: string
  /** The fixture that it holds: the demo organisation, unless said otherwise. */
  readonly fixture?: string
  /** The world that it is a fork of, in place of a fixture; `main` for the one without a prefix. */
  readonly forkOf?: string
  /** The snapshot that it begins from, in place of a fixture. */
  readonly snapshot?: string
  /** Makes every identifier the same each time. */
  readonly randomSeed?: string
  /** What time it begins at: `now` of RFC 3339, `rate` 1 as the wall's and 0 for a clock that stands still. */
  readonly clock?: { readonly now?: string; readonly advanceSeconds?: number; readonly rate?: number }
}

/** The same once it has been checked. */
export interface CheckedNewWorld extends Omit<NewWorld, 'clock'> {
  readonly clock?: ClockChange
}

const texts = ['id', 'fixture', 'forkOf', 'snapshot', 'randomSeed'] as const
const members: readonly string[] = [...texts, 'clock'] satisfies (keyof NewWorld)[]
const clockFields: readonly string[] = ['now', 'advanceSeconds', 'rate'] satisfies (keyof ClockChange)[]

const idShape = new RegExp(`^${worldIdPattern}$`)

/** Reads a wish for a world, whoever has it. @throws {ControlInputError} */
export function checkedNewWorld(wanted: unknown): CheckedNewWorld {
  const fields = fieldsOf(wanted, 'What a world shall be')
  requireFields(fields, 'A world', members)
  const named: Omit<CheckedNewWorld, 'clock'> = Object.fromEntries(
    texts.flatMap((name) => {
      const value = maybeText(fields, name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
  if (named.id !== undefined && !idShape.test(named.id)) {
    throw new ControlInputError("'id' must consist of at most 63 lower-case letters, digits and hyphens")
  }
  if ([named.fixture, named.forkOf, named.snapshot].filter((one) => one !== undefined).length > 1) {
    throw new ControlInputError("Only one of 'fixture', 'forkOf' and 'snapshot' is allowed")
  }
  if (fields.clock === undefined) return named
  const clock = fieldsOf(fields.clock, "'clock'")
  requireFields(clock, "'clock'", clockFields)
  return { ...named, clock: clockChange(clock) }
}

function requireFields(fields: Fields, what: string, known: readonly string[]): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new ControlInputError(
    `${what} has an unknown field '${unknown.slice(0, 100)}'. Allowed fields: ${known.join(', ')}`,
  )
}
