// Builds the site from the bundles of the specification. Invalid options print the valid ones.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { digestOf, tracesIn } from './digest.mjs'

const usage = `npm run build -w packages/docs -- [options]

The site from the bundles of the specification, into dist/site.

  --report <file>  a JSON report of the conformance kit, shown on the conformance
                   pages; else that of npm run conformance, where it was made
  --origin <url>   where the site will be, for the site map and the canonical
                   address of each page; there are none without it
  --out <folder>   where site is put, instead of dist
  --help           this text`

const begun = performance.now()
const folder = fileURLToPath(new URL('.', import.meta.url))
const { origin, out, ...values } = readFlags({
  report: { type: 'string' },
  origin: { type: 'string' },
  out: { type: 'string', default: join(folder, 'dist') },
})
const made = join(folder, 'dist/report.json')
const report = values.report ?? (existsSync(made) ? made : undefined)
const specification = fileURLToPath(new URL('../dist/', import.meta.resolve('@svc-admin/spec')))
const inputs = ['src', 'guides', 'package.json', 'build.mjs'].map((name) => join(folder, name))
const digest = digestOf([...inputs, specification, ...(report ? [report] : [])], [origin, process.version])
const mark = join(out, 'digest')
const seconds = () => `${((performance.now() - begun) / 1000).toFixed(2)} s`

// Additional, missing or changed files mean that the folder was modified since the last build.
if (existsSync(mark) && readFileSync(mark, 'utf8') === markNow())
  console.log(`The site is up to date (${seconds()}).`)
else await build()

async function build() {
  // Remove this first: an interrupted build leaves a mix of old and new files.
  rmSync(mark, { force: true })
  const { register } = await import('tsx/esm/api')
  register()
  const [{ buildSite }, { readInputs }] = await Promise.all([
    import('./src/build-site.ts'),
    import('./src/inputs.ts'),
  ])
  const { pages, written, unknown } = buildSite(readInputs(report), { out, origin })
  for (const name of unknown) console.error(`A guide names what does not exist: ${name}`)
  if (unknown.length > 0) process.exitCode = 1
  else writeFileSync(mark, markNow())
  console.log(`${pages} pages (${written} files written) in ${seconds()}: ${join(out, 'site')}`)
}

/** The inputs and files of the last build. */
function markNow() {
  const site = join(out, 'site')
  return JSON.stringify([digest, ...(existsSync(site) ? tracesIn(site) : [])])
}

function readFlags(options) {
  try {
    const { help, ...given } = parseArgs({ options: { ...options, help: { type: 'boolean' } } }).values
    if (!help) return given
    console.log(usage)
    process.exit(0)
  } catch ({ message }) {
    console.error(`${message.split('. ')[0].replace(/\.$/, '')}: --help says what there is`)
    process.exit(2)
  }
}
