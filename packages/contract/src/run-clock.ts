import type { Leftover } from './model/leftover.ts'
import type { Journal } from './run-context/journal.ts'
import { type OpenRunContext, trackClock } from './run-context/open.ts'
import { lockClockOf } from './target/files.ts'
import type { Target } from './target/target.ts'

/** Locks the target's clock against other runs. */
const lockClock = ({ control, baseUrl }: Target): (() => void) =>
  control === undefined
    ? lockClockOf(baseUrl, '')
    : lockClockOf(control, ', use --own-world to give each run its own world')

/** Manages the target's clock. The clock is locked while this run may move it. */
export const clockOf = (
  context: OpenRunContext,
  journal: Journal,
  { onClockRestored = () => {} }: { readonly onClockRestored?: (now: number) => void },
) => {
  let release = (): void => {}
  let restore = async (): Promise<readonly Leftover[]> => []
  const lockIfMovable = (): void => {
    if (context.prerequisites.canMoveClock) release = lockClock(context.target)
  }
  return {
    async lock() {
      lockIfMovable()
      restore = await trackClock(context, journal, onClockRestored)
    },
    restore: () => restore(),
    async restoreEarlier(): Promise<readonly Leftover[]> {
      if (journal.clock() === undefined) return []
      lockIfMovable()
      const { now, left } = await context.clock.restore()
      if (now !== undefined) onClockRestored(now)
      return left
    },
    release: () => release(),
  }
}
