// This setup runs before tests that read build output.
import { isUpToDate } from '../spec/build/fingerprint.ts'
import { staleBuild } from './built.mjs'

/**
 * Checks that the builds are up to date.
 *
 * @throws Error with the command to run if a build is missing or older than its source files.
 */
export default function setup(): void {
  const stale =
    staleBuild() ??
    (isUpToDate() ? undefined : 'The specification bundles are out of date. Run `npm run build`.')
  if (stale) throw new Error(stale)
}
