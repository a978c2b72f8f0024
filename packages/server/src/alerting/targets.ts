import type { AlertTarget } from '../domain/alert.ts'
import { numberIn, objectsIn, textIn } from '../domain/typed-fields.ts'

/** A notification as open as its schema: a kind that is not known may have these members in any type. */
interface OpenNotification {
  readonly typeName?: unknown
  readonly notifierId?: unknown
  readonly delayMin?: unknown
  readonly intervalMin?: unknown
}

/** The targets that a configuration's notifications name, as of now. Without a delay they are told at once. */
export function targetsOf(notifications: readonly OpenNotification[]): AlertTarget[] {
  return objectsIn(notifications).map(({ notifierId, typeName, delayMin, intervalMin }) => ({
    notifierId: textIn(notifierId) ?? '',
    typeName: textIn(typeName) ?? '',
    delayMin: minutesOf(delayMin),
    intervalMin: minutesOf(intervalMin),
  }))
}

/** Whole minutes: those below 0 are none, and more than the usual ones have are as many as those. */
function minutesOf(field: unknown): number {
  return Math.min(maxMinutes, Math.max(0, Math.floor(numberIn(field) ?? 0)))
}

const maxMinutes = 2 ** 31 - 1
