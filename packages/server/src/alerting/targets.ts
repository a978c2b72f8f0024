import type { AlertTarget } from '../domain/alert.ts'

/** A notification as open as its schema: any member may be missing. */
interface OpenNotification {
  readonly typeName?: string
  readonly notifierId?: string
  readonly delayMin?: number
  readonly intervalMin?: number
}

/**
 * The targets that a configuration's notifications name, as of now. Without a delay they are told at once; minutes are
 * open, and those below 0 are none.
 */
export function targetsOf(notifications: readonly OpenNotification[]): AlertTarget[] {
  return notifications.map(({ notifierId = '', typeName = '', delayMin = 0, intervalMin = 0 }) => ({
    notifierId,
    typeName,
    delayMin: Math.max(0, delayMin),
    intervalMin: Math.max(0, intervalMin),
  }))
}
