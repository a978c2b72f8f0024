import { writeFileSync } from 'node:fs'
import type { Measure } from '../../../scripts/bench/measures.ts'
import { measureDigest } from './digest.ts'
import { measureOverhead, type Overhead } from './overhead.ts'
import { overheadContenders, pageContenders } from './overhead-contenders.ts'
import { installPeers } from './peers.ts'
import { measureSizes } from './sizes.ts'
import { measureTypes } from './types.ts'

// After a build, run `npm run bench -w packages/client`. Add `-- --no-peers` to skip installing other clients.
const peers = process.argv.includes('--no-peers') ? undefined : await installPeers()

console.log('\nBundle size of a program that reads a list (esbuild, minified for browsers)')
const sizes = await measureSizes(peers)
console.table(sizes)
console.log('\nProcessor time of a call (stub response of 228 bytes, fastest of 1,500 rounds of 30)')
const overheads = await measureOverhead(await overheadContenders(peers))
console.table(overheads)
console.log('\nProcessor time of a page of 100 alerts, 20 kB (fastest of 500 rounds of 10)')
const pages = await measureOverhead(pageContenders(), 10, 500)
console.table(pages)
console.log('\nRequests for 1,000 calls with Digest')
const digests = await measureDigest()
console.table(digests)
console.log('\nCompiler work for a program with 20 calls')
const work = measureTypes(true)
console.table(work)

/** Creates a result row. Lower values are better. */
const row = (measure: string, contender: string, value: number, unit: string, spread = 0): Measure => {
  const ours = contender.startsWith('ours')
  return { measure, contender, value, unit, better: 'less', ours, spread }
}

if (process.env.BENCH_JSON) {
  const overheadRows = (measure: string, [bare, ...clients]: readonly Overhead[]): Measure[] =>
    clients.map(({ name, ratio, spread }) => row(`${measure}, times ${bare?.name}`, name, ratio, '×', spread))
  const rows = [
    ...sizes.map(({ program, gzip }) => row('bundle, compressed', program, gzip, 'bytes')),
    ...overheadRows('overhead of a call', overheads),
    ...overheadRows('overhead of a page', pages),
    ...digests.map(({ calls, requests }) =>
      row('requests with Digest', `ours, ${calls}`, requests, 'requests'),
    ),
    ...work.map(({ program, instantiations }) =>
      row('work of the compiler', program, instantiations, 'instantiations'),
    ),
  ]
  writeFileSync(process.env.BENCH_JSON, JSON.stringify(rows))
}
