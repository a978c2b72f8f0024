import { defaultTimeoutSeconds } from '../http/transport.ts'

/** A run's default settings. */
export const defaults = {
  /**
   * The number of generated inputs per check. Ten inputs are almost certain to find a fault that affects at least a
   * third of all inputs.
   */
  inputs: 10,
  /** The number of checks that run in parallel. */
  parallel: 8,
  /** The timeout for a single response. */
  timeoutSeconds: defaultTimeoutSeconds,
} as const
