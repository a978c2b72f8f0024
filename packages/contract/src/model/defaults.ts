import { defaultTimeoutSeconds } from '../http/transport.ts'

/** Default settings of a run. */
export const defaults = {
  /** Generated inputs per check. Ten show any fault that every second or third input triggers. */
  inputs: 10,
  /** Number of checks that run in parallel. */
  parallel: 8,
  /** Timeout for one response. */
  timeoutSeconds: defaultTimeoutSeconds,
} as const
