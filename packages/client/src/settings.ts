import { versions } from '#tables/versions'
import type { CallSettings } from './options.ts'

/**
 * The base address, without a final slash.
 *
 * @throws TypeError unless the paths of the API can be appended to it.
 */
export function readBaseUrl(given: string): string {
  const fits =
    /^https?:\/\/[^?#@]+$/i.test(given) &&
    URL.canParse(given) &&
    !Object.values(versions).some(([prefix]) => given.includes(prefix))
  if (fits) return new URL(given).href.replace(/\/+$/, '')
  // A password in it must not be printed.
  throw new TypeError(`baseUrl is ${given}: expected http(s)://host up to /api`.replace(/\/.*@/, '***'))
}

type Limits = Record<keyof Pick<CallSettings, 'timeoutMs' | 'totalTimeoutMs'>, number>

export const defaultLimits: Limits = { timeoutMs: 60_000, totalTimeoutMs: 300_000 }

/** @throws TypeError for a limit that no call could keep. */
export function readLimits(given: CallSettings, otherwise: Limits): Limits {
  const { timeoutMs = otherwise.timeoutMs, totalTimeoutMs = otherwise.totalTimeoutMs } = given
  if (timeoutMs > 0 && totalTimeoutMs > 0) return { timeoutMs, totalTimeoutMs }
  throw new TypeError(`timeoutMs ${timeoutMs}, totalTimeoutMs ${totalTimeoutMs}: expected above 0`)
}
