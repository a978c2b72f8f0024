// Proves that the kit raises no false alarm: changes answers in ways that keep every promise.
import { parseArgs } from 'node:util'
import { openKit } from '../src/kit.ts'
import { demoTarget } from '../src/target/demo.ts'
import { elapsed, openNotes, shardOf } from './notes.ts'
import { openProxy } from './proxy.ts'
import { resetSandbox, startServer } from './server.ts'
import { type Variant, variants } from './variants.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    // Each seed tries one part in so many of all checks, and the next seed the next one.
    parts: { type: 'string', default: '1' },
    variant: { type: 'string', multiple: true },
    // One part of so many of all rounds, such as 2/4.
    shard: { type: 'string', default: '1/1' },
    // Where rounds are noted as they end, and whether to go on with those that stand there.
    journal: { type: 'string' },
    resume: { type: 'boolean', default: false },
  },
})

const broken = new Set(['FAIL', 'WARN', 'LENIENT', 'UNTESTABLE', 'KIT ERROR'])

const alarmsOf = async (
  variant: Variant,
  seed: number,
  server: { baseUrl: string; control: string },
): Promise<string[]> => {
  await resetSandbox(server.control)
  const proxy = await openProxy(server.baseUrl, { chunked: variant.chunked ?? false })
  proxy.interfere(variant.make())
  const of = Number(values.parts)
  const kit = await openKit({
    target: demoTarget({ baseUrl: proxy.url, control: server.control }),
    selection: { shard: { index: ((seed - 1) % of) + 1, of } },
    seed,
  })
  const { results } = await kit.run()
  await proxy.close()
  return results
    .filter(({ verdict }) => broken.has(verdict))
    .map(
      ({ id, verdict, expected, actual, reason }) =>
        `${verdict} ${id}: ${expected ?? reason} / ${actual ?? ''}`,
    )
}

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
  let count = 0
  for (const [place, { seed, variant }] of rounds.entries()) {
    const before = done.get(`${seed} ${variant.name}`)
    const alarms = before === undefined ? await alarmsOf(variant, seed, server) : []
    if (before === undefined) notes.note({ seed, variant: variant.name, alarms: alarms.length })
    count += before ?? alarms.length
    const told = before === undefined ? `${alarms.length} false alarms` : `${before} false alarms, as before`
    process.stdout.write(
      `${place + 1} of ${rounds.length}, ${elapsed(began)}: seed ${seed}, ${variant.name}: ${told}\n`,
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
