import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { chart } from '../scripts/bench/chart.ts'
import { type Measure, notRecorded, type Results, worsened } from '../scripts/bench/measures.ts'
import { table } from '../scripts/bench/table.ts'

const machine = { node: 'v20.20.2', processor: 'A & B', cores: 2, memoryGiB: 24, system: 'Linux' }
const measure: Measure = {
  measure: 'get one',
  contender: 'ours',
  value: 0.5,
  unit: '×',
  better: 'more',
  ours: true,
  spread: 0,
}
const results = (...measures: readonly Partial<Measure>[]): Results => ({
  machine,
  packages: { server: measures.map((change) => ({ ...measure, ...change })) },
})

test.each<[string, Partial<Measure>, Partial<Measure>, number]>([
  ['an unchanged value', {}, {}, 0],
  ['a value within 10 %', {}, { value: 0.46 }, 0],
  ['a value that is worse by a third', {}, { value: 0.33 }, 1],
  ['a value that is worse, but within its spread', { spread: 0.6 }, { value: 0.33 }, 0],
  ['a lower value where less is better', { better: 'less' }, { value: 0.33, better: 'less' }, 0],
  ['a higher value where less is better', { better: 'less' }, { value: 0.9, better: 'less' }, 1],
  ['a value of another project', { ours: false }, { value: 0.1, ours: false }, 0],
  ['zero that stays zero', { value: 0, better: 'less' }, { value: 0, better: 'less' }, 0],
  ['a value above zero after zero', { value: 0, better: 'less' }, { value: 1, better: 'less' }, 1],
  ['a missing value', {}, { measure: 'another' }, 1],
])('%s', (_, before, after, count) => {
  expect(worsened(results(before), results(after))).toHaveLength(count)
})

test.each<[string, readonly [number, number], readonly [number, number], number]>([
  ['a time that increased in proportion to the peer time', [100, 200], [300, 600], 0],
  ['a time that increased more than the peer time', [100, 200], [300, 400], 1],
  ['an unchanged time when the peer became faster', [100, 200], [101, 100], 1],
])('%s', (_, before, after, count) => {
  const run = ([ours, peer]: readonly [number, number]) => {
    const time = { unit: 'ms', better: 'less' } as const
    return results({ ...time, value: ours }, { ...time, contender: 'a peer', ours: false, value: peer })
  }
  expect(worsened(run(before), run(after))).toHaveLength(count)
})

test("a time without a peer is compared with the peers' other times", () => {
  const run = (ours: number, peer: number) =>
    results(
      { unit: 's', better: 'less', value: ours },
      { measure: 'another', contender: 'a peer', ours: false, unit: 'ms', better: 'less', value: peer },
    )
  expect(worsened(run(1, 100), run(2, 200))).toEqual([])
  expect(worsened(run(1, 100), run(2, 100))).toEqual([
    'server: get one (ours): 1 → 2 s, relative to other projects worse by 100 %',
  ])
})

test('the table shows peers as multiples of our value, within 80 columns', () => {
  const all = table(
    results(
      { unit: '× bare node:http' },
      { contender: 'octokit core, retry, throttling, paginate', ours: false, value: 1, spread: 0.5 },
    ),
  )
  expect(all.every((line) => line.length <= 80)).toBe(true)
  expect(all.join('\n')).toMatch(/octokit.* 1 +25 % +2$/m)
})

test('packages without recorded results are listed', () => {
  const { packages } = results({})
  const after = { machine, packages: { ...packages, contract: [] } }
  expect(notRecorded(results({}), after)).toEqual(['contract'])
  expect(notRecorded(after, after)).toEqual([])
})

test('the chart shows every contender and the machine', () => {
  const picture = chart(results({}, { contender: 'a <peer>', ours: false }))
  expect(picture).toContain('A &amp; B')
  expect(picture).toContain('a &lt;peer>')
  expect(picture.match(/<rect/g)).toHaveLength(2)
})

test('rejects an unknown bench name in any --only option', () => {
  const script = fileURLToPath(new URL('../scripts/bench/main.ts', import.meta.url))
  const only = ['--only', 'docs,servers', '--only', 'client']
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script, ...only], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  expect(status).toBe(2)
  expect(stderr).toBe(
    '--only must be a comma-separated list of client, server, contract, docs, but contains "servers".\n',
  )
})
