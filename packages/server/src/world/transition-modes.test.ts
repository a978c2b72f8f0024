import { states } from '@svc-admin/types'
import { describe, expect, it, onTestFinished } from 'vitest'
import { persistentDatabase } from '../../test/databases.ts'
import type { StateMachine } from '../domain/lifecycle.ts'
import { currentPace } from '../domain/transition-pace.ts'
import { openDatabase } from '../persistence/database.ts'
import { migrate } from '../persistence/migrate.ts'
import { settings } from '../persistence/settings.ts'
import { createTransitionModes, type TransitionMode, type TransitionModes } from './transition-modes.ts'

const machine: StateMachine = states.snapshot
const since = 1000

async function modesOf() {
  const database = await openDatabase(await persistentDatabase())
  onTestFinished(() => database.close())
  await migrate(database)
  return { database, modes: await createTransitionModes(database, true) }
}

const set = (modes: TransitionModes, mode: TransitionMode['mode'], at: number) => {
  const wanted: TransitionMode =
    mode === 'after' ? { mode, seconds: 1 } : mode === 'reads' ? { mode, reads: 1 } : { mode }
  return modes.set(new Map([['snapshot', wanted]]), at)
}

/** Returns the time when a snapshot leaves a state that it entered at `since`. */
function left(modes: TransitionModes, since: number, described: number) {
  const [transition] = machine.transitions
  if (!transition) throw new Error('A snapshot has no transitions')
  const stored = { state: transition.from, since }
  return modes.run(false, async () =>
    currentPace()?.timeOf({ stored, machine, transition, described }, since, 1e9),
  )
}

it('a transition due in the millisecond of a mode change has happened', async () => {
  const { modes } = await modesOf()
  const until = 5000
  await set(modes, 'manual', until)
  const momentOf = (described: number) => left(modes, since, described)
  expect(await Promise.all([until - 1, until, until + 1].map(momentOf))).toEqual([
    until - 1,
    until,
    undefined,
  ])
})

describe('past transitions stay', () => {
  it('however often the mode changes', async () => {
    const { modes } = await modesOf()
    await set(modes, 'immediate', 500)
    for (let change = 1; change <= 110; change += 1) {
      await set(modes, change % 2 ? 'manual' : 'described', since + change * 10)
    }
    expect(await left(modes, since, 1e6)).toBe(since)
    expect([await left(modes, since + 5, 1e6), await left(modes, since + 10, 1e6)]).toEqual([since + 5, 1e6])
  })

  it('with each manual release between many changes', async () => {
    const { modes } = await modesOf()
    await set(modes, 'manual', 500)
    const at = (round: number) => since + round * 10
    for (let round = 1; round <= 60; round += 1) {
      await set(modes, 'after', at(round))
      await set(modes, 'manual', at(round) + 1)
      if (round % 20 === 0) await modes.release(['snapshot'], at(round) + 5)
    }
    await set(modes, 'described', at(90))
    const steps = await Promise.all([1, 19, 21, 41, 61].map((round) => left(modes, at(round) + 2, 1e8)))
    expect(steps).toEqual([at(20) + 5, at(20) + 5, at(40) + 5, at(60) + 5, 1e8])
  })

  it('and changes are rejected once the history is full', async () => {
    const { database, modes } = await modesOf()
    const past = Array.from({ length: 1000 }, (_, index) => ({
      mode: { mode: index % 2 ? 'immediate' : 'described' },
      until: since + index,
    }))
    await settings.set(
      database,
      'transitions',
      JSON.stringify({ modes: {}, releases: {}, past: { snapshot: past } }),
    )
    ;(await modes.load(database))()
    await expect(set(modes, 'manual', 1e5)).rejects.toThrow("The mode of 'snapshot' was changed 1000 times")
    expect(modes.all().snapshot).toEqual({ mode: 'described' })
    const moments = Array.from({ length: 10_000 }, (_, index) => since + index)
    const kept = { modes: { snapshot: { mode: 'manual' } }, releases: { snapshot: moments } }
    await settings.set(database, 'transitions', JSON.stringify(kept))
    ;(await modes.load(database))()
    await expect(modes.release(['snapshot'], 1e5)).rejects.toThrow('advanced manually 10000 times')
    expect([await left(modes, since - 1, 1e6), await left(modes, since + 700, 1e6)]).toEqual([
      since,
      since + 701,
    ])
  })
})
