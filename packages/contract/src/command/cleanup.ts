import { Misconfiguration } from '../engine/signals.ts'
import { openKit } from '../kit.ts'
import { wrap } from '../report/text.ts'
import { readText } from '../target/files.ts'
import { tellClock, tellCondition, tellLeft } from '../world/journal.ts'
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
    onClockBack: (now) => tell('moved:', tellClock(now)),
  })
  try {
    await kit.expectResponse()
    // Those of its answers count that are of its own time.
    const clock = await kit.putClockBack()
    // What nobody sees in the API is told of, so that whoever watches the target knows why it is over.
    for (const condition of await kit.world.endConditions()) tell('ended:', tellCondition(condition))
    const left = [...clock, ...(await kit.world.cleanUp())]
    for (const one of left) tell('left:', tellLeft(one))
    if (left.length === 0) console.write('Nothing of the run is left.\n')
    return left.length === 0 ? 0 : 1
  } finally {
    kit.close()
  }
}
