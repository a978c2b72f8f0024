import type { AlertTarget } from '../domain/alert.ts'
import { numberIn, objectsIn, textIn } from '../domain/typed-fields.ts'

/**
 * A notification as sent by a client. Additional properties are allowed. If the type is unknown, properties can have
 * any JSON type.
 */
interface OpenNotification {
  readonly typeName?: unknown
  readonly notifierId?: unknown
  readonly delayMin?: unknown
  readonly intervalMin?: unknown
}

/** Returns a configuration's notification targets. A target without a delay is notified immediately. */
export function targetsOf(notifications: readonly OpenNotification[]): AlertTarget[] {
  return objectsIn(notifications).map(({ notifierId, typeName, delayMin, intervalMin }) => ({
    notifierId: textIn(notifierId) ?? '',
    typeName: textIn(typeName) ?? '',
    delayMin: minutesOf(delayMin),
    intervalMin: minutesOf(intervalMin),
  }))
}

/** Returns the field's value as a whole number of minutes that fits into a 32-bit integer. Negative values become 0. */
function minutesOf(field: unknown): number {
  return Math.min(maxMinutes, Math.max(0, Math.floor(numberIn(field) ?? 0)))
}

const maxMinutes = 2 ** 31 - 1
