// `npm run build -w packages/docs`: the site from the bundles of the specification, into dist/site.
// --report <file>  a JSON report of the conformance kit, shown on the conformance pages
// --origin <url>   where the site will be, for the site map
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { digestOf } from './digest.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const out = join(folder, 'dist')
const { values } = parseArgs({
  options: { report: { type: 'string' }, origin: { type: 'string', default: 'https://svc.example.com' } },
})

const begun = performance.now()
const specification = fileURLToPath(new URL('../dist/', import.meta.resolve('@svc-admin/spec')))
const inputs = ['src', 'guides', 'console', 'package.json'].map((name) => join(folder, name))
const digest = digestOf(
  [...inputs, specification, ...(values.report ? [values.report] : [])],
  [values.origin, process.version],
)
const mark = join(out, 'digest')
const seconds = () => `${((performance.now() - begun) / 1000).toFixed(2)} s`

if (existsSync(join(out, 'site/index.html')) && existsSync(mark) && readFileSync(mark, 'utf8') === digest)
  console.log(`The site is up to date (${seconds()}).`)
else await build()

async function build(): Promise<void> {
  // Loaded only now: a build with nothing to do shall not pay for them.
  const [{ buildSite }, { readInputs }] = await Promise.all([
    import('./build-site.ts'),
    import('./inputs.ts'),
  ])
  const built = await buildSite(readInputs(values.report), { out, origin: values.origin })
  writeFileSync(mark, digest)
  for (const name of built.unknown) console.warn(`A guide names what does not exist: ${name}`)
  const { pages, consoles } = built.milliseconds
  console.log(
    `${built.pages} pages (${built.written} files written) in ${pages} ms, consoles in ${consoles} ms; ${seconds()} in all: ${join(out, 'site')}`,
  )
}
