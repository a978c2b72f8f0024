/** What a run does where nobody says otherwise. */
export const defaults = {
  /** Inputs of a check that generates them: enough for what every second or third input shows somewhere. */
  inputs: 10,
  /** Checks side by side. */
  parallel: 8,
  /** For one answer. */
  timeoutSeconds: 30,
} as const
