// `npm run build -w packages/docs`: the site from the bundles of the specification, into dist/site.
// --report <file>  a JSON report of the conformance kit, shown on the conformance pages; else that of
//                  `npm run conformance`, where it was made
// --origin <url>   where the site will be, for the site map
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { digestOf } from './digest.mjs'

const begun = performance.now()
const folder = fileURLToPath(new URL('.', import.meta.url))
const { values } = parseArgs({
  options: {
    report: { type: 'string' },
    origin: { type: 'string', default: 'https://svc.example.com' },
    out: { type: 'string', default: join(folder, 'dist') },
  },
})
const { origin, out } = values
const made = join(folder, 'dist/report.json')
const report = values.report ?? (existsSync(made) ? made : undefined)
const specification = fileURLToPath(new URL('../dist/', import.meta.resolve('@svc-admin/spec')))
const inputs = ['src', 'guides', 'package.json', 'build.mjs'].map((name) => join(folder, name))
const digest = digestOf([...inputs, specification, ...(report ? [report] : [])], [origin, process.version])
const mark = join(out, 'digest')
const seconds = () => `${((performance.now() - begun) / 1000).toFixed(2)} s`

if (existsSync(join(out, 'site/index.html')) && existsSync(mark) && readFileSync(mark, 'utf8') === digest)
  console.log(`The site is up to date (${seconds()}).`)
else await build()

async function build() {
  const { register } = await import('tsx/esm/api')
  register()
  const [{ buildSite }, { readInputs }] = await Promise.all([
    import('./src/build-site.ts'),
    import('./src/inputs.ts'),
  ])
  const { pages, written, unknown } = buildSite(readInputs(report), { out, origin })
  for (const name of unknown) console.error(`A guide names what does not exist: ${name}`)
  if (unknown.length > 0) process.exitCode = 1
  else writeFileSync(mark, digest)
  console.log(`${pages} pages (${written} files written) in ${seconds()}: ${join(out, 'site')}`)
}
