import { defaultTimeoutSeconds } from '../http/transport.ts'

/** The default settings of a run. */
export const defaults = {
  /**
   * The number of generated inputs per check. If a third of all inputs cause a fault, ten inputs are
   * almost certain to find it.
   */
  inputs: 10,
  /** The number of checks that run in parallel. */
  parallel: 8,
  /** The number of seconds that the kit waits for a response. */
  timeoutSeconds: defaultTimeoutSeconds,
} as const
