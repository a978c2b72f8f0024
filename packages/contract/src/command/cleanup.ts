import { existsSync } from 'node:fs'
import { Misconfiguration } from '../engine/signals.ts'
import { openKit } from '../kit.ts'
import { selectionOf, targetOf, type Values } from './arguments.ts'
import type { Console } from './console.ts'

/** `contract cleanup --journal file`: removes what a run made and could not remove, as after kill -9. */
export const cleanupCommand = async (values: Values, console: Console): Promise<number> => {
  const { journal } = values
  if (journal === undefined || !existsSync(journal))
    throw new Misconfiguration('name the journal of the run with --journal')
  const kit = await openKit({
    target: targetOf(values),
    selection: selectionOf(values),
    journalFile: journal,
  })
  try {
    const left = await kit.world.cleanUp()
    for (const { operation, parameters } of left)
      console.write(`could not remove: ${operation} ${Object.values(parameters).join(' ')}\n`)
    if (left.length === 0) console.write('Nothing of the run is left.\n')
    return left.length === 0 ? 0 : 1
  } finally {
    kit.close()
  }
}
