import { states } from '@svc-admin/types'
import { expect, it, onTestFinished } from 'vitest'
import { keptDatabase } from '../../test/databases.ts'
import type { StateMachine } from '../domain/state-machine.ts'
import { currentPace } from '../domain/transition-pace.ts'
import { openDatabase } from '../persistence/database.ts'
import { migrate } from '../persistence/migrate.ts'
import { createTransitionModes } from './transition-modes.ts'

const machine: StateMachine = states.snapshot

it('what was due in the very millisecond in which another mode came has happened', async () => {
  const database = await openDatabase(await keptDatabase())
  onTestFinished(() => database.close())
  await migrate(database)
  const modes = await createTransitionModes(database, true)
  const [transition] = machine.transitions
  if (!transition) throw new Error('A snapshot has no transitions')
  const since = 1000
  const until = 5000
  await modes.set('snapshot', { mode: 'manual' }, until)
  const momentOf = (described: number) => {
    const kept = { state: transition.from, since }
    return modes.during(false, async () =>
      currentPace()?.momentOf({ kept, machine, transition, described }, since, 9000),
    )
  }
  expect(await Promise.all([until - 1, until, until + 1].map(momentOf))).toEqual([
    until - 1,
    until,
    undefined,
  ])
})
