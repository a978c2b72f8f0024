import type { RetryState } from './retry.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** The resolved options that all layers below the retry loop share. */
export interface SendSettings {
  readonly baseUrl: string
  readonly state: RetryState
  readonly policy: RetryPolicy
  readonly timeoutMs: number
}
