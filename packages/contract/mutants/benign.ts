// Proves that the kit raises no false alarm: changes answers in ways that keep every promise.
import { parseArgs } from 'node:util'
import { openKit } from '../src/kit.ts'
import { demoTarget } from '../src/target/demo.ts'
import { openProxy } from './proxy.ts'
import { resetSandbox, startServer } from './server.ts'
import { type Variant, variants } from './variants.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    // Each seed tries one part in so many of all checks, and the next seed the next one.
    parts: { type: 'string', default: '1' },
    variant: { type: 'string', multiple: true },
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

const main = async (): Promise<number> => {
  const server = await startServer()
  const chosen = variants.filter(({ name }) => !values.variant || values.variant.includes(name))
  let count = 0
  for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
    for (const variant of chosen) {
      const alarms = await alarmsOf(variant, seed, server)
      count += alarms.length
      process.stdout.write(`seed ${seed}, ${variant.name}: ${alarms.length} false alarms\n`)
      for (const alarm of alarms.slice(0, 10)) process.stdout.write(`  ${alarm}\n`)
    }
  }
  server.stop()
  process.stdout.write(`${count} false alarms over ${chosen.length} variants and ${values.seeds} seeds\n`)
  return count === 0 ? 0 : 1
}

process.exitCode = await main()
