/**
 * `npm run bench -w packages/docs` compares our pages with other renderers' pages for the same document, and
 * then measures builds. Build the site first.
 */
import { writeFileSync } from 'node:fs'
import type { Measure } from '../../../scripts/bench/measures.ts'
import { launch } from '../browser/chromium.ts'
import { firstSentence } from '../src/content/first-sentence.ts'
import { readInputs } from '../src/inputs.ts'
import { siteModel } from '../src/model/site-model.ts'
import { type BuildTime, measureBuilds, measureCommand } from './builds.ts'
import { type Keystrokes, measureKeystrokes } from './keystrokes.ts'
import { measureAll, type Opened, serve } from './open.ts'
import { contenders, fetchPeers, peerPages, type Subject } from './peers.ts'

interface Rendered {
  readonly name: string
  readonly opened: Opened | undefined
  readonly direct: Opened | undefined
}

async function measurePages(subject: Subject): Promise<{ rendered: Rendered[]; keystrokes: Keystrokes }> {
  const { origin, server } = await serve(await fetchPeers(), peerPages(subject))
  const browser = await launch()
  try {
    const all = contenders(subject)
    const found = await measureAll(
      browser,
      all.flatMap(({ first, deep, ready, shown }) => [
        { address: origin + first, wanted: { selector: ready } },
        { address: origin + deep, wanted: { text: shown } },
      ]),
    )
    const rendered = all.map(({ name }, index) => ({
      name,
      opened: found[2 * index],
      direct: found[2 * index + 1],
    }))
    return { rendered, keystrokes: await measureKeystrokes(browser, `${origin}/${subject.version}/`) }
  } finally {
    await browser.close()
    server.close()
  }
}

function show(rendered: readonly Rendered[]): void {
  const [ours] = rendered
  const ratio = (value: number | undefined, base: number | undefined) =>
    value && base ? (value / base).toFixed(1) : ''
  console.table(
    rendered.map(({ name, opened, direct }) => ({
      renderer: name,
      'kB, gzip': opened?.kilobytes.toFixed(0) ?? '',
      'usable ms': opened?.milliseconds.toFixed(0) ?? 'never',
      'times ours': ratio(opened?.milliseconds, ours?.opened?.milliseconds),
      'deep link ms': direct?.milliseconds.toFixed(0) ?? 'not shown',
      'times ours ': ratio(direct?.milliseconds, ours?.direct?.milliseconds),
    })),
  )
}

/** Creates a result row. Lower values are better. */
const row = (measured: string, contender: string, value: number, unit: string, spread: number): Measure => ({
  measure: measured,
  contender,
  value,
  unit,
  better: 'less',
  ours: contender.startsWith('our'),
  spread,
})

const pageRows = ({ name, opened, direct }: Rendered): Measure[] => [
  ...(opened
    ? [
        row('first page, compressed', name, opened.kilobytes, 'kB', 0),
        row('first page, until usable', name, opened.milliseconds, 'ms', opened.spread),
      ]
    : []),
  ...(direct ? [row('deep link, cold', name, direct.milliseconds, 'ms', direct.spread)] : []),
]

const buildRow = (built: BuildTime): Measure =>
  row(`pages of ${built.site}`, 'our pages', built['processor seconds'], 's of processor', 0.3)

const inputs = readInputs()
const { newest } = siteModel(inputs)
const operation = newest.byId.get('getAlert')
if (!operation) throw new Error('No operation to open.')
const builds = measureBuilds(inputs)
console.table(builds)
const command = measureCommand()
console.table([
  { build: 'into an empty folder', seconds: command.whole },
  { build: 'with nothing to do', seconds: command.again },
])
const { rendered, keystrokes } = await measurePages({
  version: newest.id,
  operationId: operation.id,
  tag: operation.tag,
  // These words come from the description, which is visible only after the operation has been opened.
  // Lists contain only summaries.
  words: firstSentence(operation.operation.description).slice(0, 30),
})
show(rendered)
console.table([{ 'a keystroke, ms': keystrokes.median, 'the longest, ms': keystrokes.longest }])

if (process.env.BENCH_JSON) {
  const rows = [
    ...rendered.flatMap(pageRows),
    row('search, from keystroke to results', 'our pages', keystrokes.median, 'ms', keystrokes.spread),
    row('search, the slowest keystroke', 'our pages', keystrokes.longest, 'ms', 1),
    ...builds.map(buildRow),
    row('build into an empty folder', 'our pages', command.whole, 's', 0.5),
    row('build with nothing to do', 'our pages', command.again, 's', 0.5),
  ]
  writeFileSync(process.env.BENCH_JSON, JSON.stringify(rows))
}
