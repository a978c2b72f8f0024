/**
 * Tests that the kit raises no false alarms if the reference server's responses change in ways that the specification
 * allows.
 */
import { flagsOf } from '../../../scripts/flags.ts'
import { falseAlarmsOf } from './false-alarms.ts'
import { elapsed, openNotes, shardOf } from './notes.ts'
import { startServer } from './server.ts'
import { variants } from './variants.ts'

const values = flagsOf('npm run benign -w packages/contract', {
  seeds: { type: 'string', default: '1', takes: '<n>', says: 'Test with seeds 1 to <n>' },
  parts: {
    type: 'string',
    default: '1',
    takes: '<n>',
    says: 'Split the checks into <n> parts. The seed selects the part to run',
  },
  variant: { type: 'string', multiple: true, takes: '<name>', says: 'Test only this variant' },
  shard: { type: 'string', default: '1/1', takes: '<1/4>', says: 'Run only one part of the rounds' },
  journal: { type: 'string', takes: '<file>', says: 'Record each finished round in this file' },
  resume: { type: 'boolean', says: 'Skip rounds that the journal already contains' },
})

interface Round {
  readonly seed: number
  readonly variant: string
  readonly alarms: number
}

const main = async (): Promise<number> => {
  const began = performance.now()
  const chosen = variants.filter(({ name }) => !values.variant || values.variant.includes(name))
  const { index, of } = shardOf(values.shard)
  const rounds = Array.from({ length: Number(values.seeds) }, (_, seed) => seed + 1)
    .flatMap((seed) => chosen.map((variant) => ({ seed, variant })))
    .filter((_, place) => place % of === index)
  const notes = openNotes<Round>(values.journal, values.resume)
  const done = new Map(notes.earlier.map((round) => [`${round.seed} ${round.variant}`, round.alarms]))
  const server = await startServer()
  const parts = Number(values.parts)
  let count = 0
  for (const [place, { seed, variant }] of rounds.entries()) {
    const before = done.get(`${seed} ${variant.name}`)
    const selection = { shard: { index: ((seed - 1) % parts) + 1, of: parts } }
    const alarms = before === undefined ? await falseAlarmsOf(variant, server, { seed, selection }) : []
    if (before === undefined) notes.note({ seed, variant: variant.name, alarms: alarms.length })
    count += before ?? alarms.length
    const summary =
      before === undefined ? `${alarms.length} false alarms` : `${before} false alarms, as before`
    process.stdout.write(
      `${place + 1} of ${rounds.length}, ${elapsed(began)}: seed ${seed}, ${variant.name}: ${summary}\n`,
    )
    for (const alarm of alarms.slice(0, 10)) process.stdout.write(`  ${alarm}\n`)
  }
  server.stop()
  process.stdout.write(
    `${count} false alarms in ${rounds.length} rounds: ${chosen.length} variants, ${values.seeds} seeds\n`,
  )
  return count === 0 ? 0 : 1
}

process.exitCode = await main()
