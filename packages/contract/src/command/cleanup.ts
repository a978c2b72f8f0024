import { Misconfiguration } from '../engine/signals.ts'
import { openKit } from '../kit.ts'
import { wrap } from '../report/text.ts'
import { readText } from '../target/files.ts'
import { tellLeft } from '../world/journal.ts'
import { selectionOf, targetOf, type Values } from './arguments.ts'
import type { Console } from './console.ts'

/** `contract cleanup --journal file`: removes what a run made and could not remove, as after kill -9. */
export const cleanupCommand = async (values: Values, console: Console): Promise<number> => {
  const { journal } = values
  if (journal === undefined) throw new Misconfiguration('name the journal of the run with --journal')
  readText(journal)
  const kit = await openKit({
    target: targetOf(values),
    selection: selectionOf(values),
    journalFile: journal,
  })
  try {
    await kit.expectAnswer()
    const left = await kit.world.cleanUp()
    for (const one of left) {
      const lines = wrap(tellLeft(one), console.columns - 9, { whole: true })
      console.write(`left:    ${lines.join('\n         ')}\n`)
    }
    if (left.length === 0) console.write('Nothing of the run is left.\n')
    return left.length === 0 ? 0 : 1
  } finally {
    kit.close()
  }
}
