import { worldIdPattern } from '../http/world-path.ts'
import type { ClockChange } from '../world/clock.ts'
import { clockChange } from './clock-change.ts'
import { ControlInputError, type Fields, fieldsOf, maybeText } from './fields.ts'

/** The options for a new world. */
export interface NewWorld {
  /** An ID with up to 63 lowercase letters, digits and hyphens. If omitted, the server generates an ID. */
  readonly id?: string
  /** The fixture to start with, which defaults to the demo organization. */
  readonly fixture?: string
  /** The ID of a world to copy instead of using a fixture. `main` is the world without a path prefix. */
  readonly forkOf?: string
  /** The ID of a snapshot to restore instead of using a fixture. */
  readonly snapshot?: string
  /** A seed for random values. Worlds with the same seed generate the same IDs. */
  readonly randomSeed?: string
  /**
   * The initial state of the clock. `now` is an RFC 3339 time. With a `rate` of 1, the clock runs at normal speed. A
   * `rate` of 0 stops the clock.
   */
  readonly clock?: { readonly now?: string; readonly advanceSeconds?: number; readonly rate?: number }
}

/** The validated options for a new world. */
export interface CheckedNewWorld extends Omit<NewWorld, 'clock'> {
  readonly clock?: ClockChange
}

const texts = ['id', 'fixture', 'forkOf', 'snapshot', 'randomSeed'] as const
const members: readonly string[] = [...texts, 'clock'] satisfies (keyof NewWorld)[]
const clockFields: readonly string[] = ['now', 'advanceSeconds', 'rate'] satisfies (keyof ClockChange)[]

const idShape = new RegExp(`^${worldIdPattern}$`)

/**
 * Validates the options for a new world. The options can come from an HTTP request or from a program.
 *
 * @throws {ControlInputError} if an option is invalid.
 */
export function checkedNewWorld(wanted: unknown): CheckedNewWorld {
  const fields = fieldsOf(wanted, 'The options of a world')
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
