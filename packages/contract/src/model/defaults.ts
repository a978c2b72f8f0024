import { defaultTimeoutSeconds } from '../http/transport.ts'

/** A run's default settings. */
export const defaults = {
  /**
   * The number of generated inputs per check. Ten inputs reveal any fault that every second or third input triggers.
   */
  inputs: 10,
  /** The number of checks that run in parallel. */
  parallel: 8,
  /** The timeout for a single response. */
  timeoutSeconds: defaultTimeoutSeconds,
} as const
