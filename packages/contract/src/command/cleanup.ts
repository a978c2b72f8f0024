import { Misconfiguration } from '../engine/signals.ts'
import { openKit } from '../kit.ts'
import { wrap } from '../report/text.ts'
import { describeClock, describeCondition, describeLeftover } from '../run-context/journal.ts'
import { readText } from '../target/files.ts'
import { selectionOf, targetOf, type Values } from './arguments.ts'
import type { Console } from './console.ts'

/** `contract cleanup --journal file`: removes what a run made and could not remove, as after kill -9. */
export const cleanupCommand = async (values: Values, console: Console): Promise<number> => {
  const { journal } = values
  if (journal === undefined) throw new Misconfiguration('name the journal of the run with --journal')
  readText(journal)
  const tell = (label: string, what: string): void => {
    const lines = wrap(what, console.columns - 9, { whole: true })
    console.write(`${label.padEnd(9)}${lines.join('\n         ')}\n`)
  }
  const kit = await openKit({
    target: targetOf(values),
    selection: selectionOf(values),
    journalFile: journal,
    onClockRestored: (now) => tell('moved:', describeClock(now)),
  })
  try {
    await kit.expectResponse()
    // Those of its answers count that are of its own time.
    const clock = await kit.restoreClock()
    // What nobody sees in the API is told of, so that whoever watches the target knows why it is over.
    for (const condition of await kit.context.endConditions()) tell('ended:', describeCondition(condition))
    const left = [...clock, ...(await kit.context.cleanUp())]
    for (const one of left) tell('left:', describeLeftover(one))
    if (left.length === 0) console.write('Nothing of the run is left.\n')
    return left.length === 0 ? 0 : 1
  } finally {
    kit.close()
  }
}
