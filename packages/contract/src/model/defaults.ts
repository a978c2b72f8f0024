import { defaultTimeoutSeconds } from '../http/transport.ts'

/** The settings of a run if the user doesn't change them. */
export const defaults = {
  /**
   * The number of generated inputs per check. If a third of all inputs cause a fault, ten inputs are
   * almost certain to find it.
   */
  inputs: 10,
  /** How many checks run in parallel. */
  parallel: 8,
  /** How long the kit waits for a response. */
  timeoutSeconds: defaultTimeoutSeconds,
} as const
