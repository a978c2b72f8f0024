import { openKit } from '../kit.ts'
import { describeLeftover } from '../model/leftover.ts'
import { Misconfiguration } from '../model/signals.ts'
import { wrap } from '../report/text.ts'
import { describeClock, describeCondition } from '../run-context/journal.ts'
import { readText } from '../target/files.ts'
import { selectionOf, targetOf, type Values } from './arguments.ts'
import type { Console } from './console.ts'

/** `contract cleanup --journal file` deletes what a run left behind, for example after `kill -9`. */
export const cleanupCommand = async (values: Values, console: Console): Promise<number> => {
  const { journal } = values
  if (journal === undefined)
    throw new Misconfiguration("cleanup needs the run's journal: pass it with --journal")
  readText(journal)
  const print = (label: string, what: string): void => {
    const lines = wrap(what, console.columns - 9, { whole: true })
    console.write(`${label.padEnd(9)}${lines.join('\n         ')}\n`)
  }
  const kit = await openKit({
    target: targetOf(values),
    selection: selectionOf(values),
    journalFile: journal,
    onClockRestored: (now) => print('moved:', describeClock(now)),
  })
  try {
    await kit.expectResponse()
    // Restore the clock first, because time-dependent responses are wrong while the clock is shifted.
    const clock = await kit.restoreClock()
    // The API doesn't show conditions, so this output is the only way for users to learn which conditions were ended.
    for (const condition of await kit.context.endConditions()) print('ended:', describeCondition(condition))
    const left = [...clock, ...(await kit.context.cleanUp())]
    for (const one of left) print('left:', describeLeftover(one))
    if (left.length === 0) console.write('Nothing is left to clean up.\n')
    return left.length === 0 ? 0 : 1
  } finally {
    kit.close()
  }
}
