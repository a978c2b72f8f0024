// Builds the site from the OpenAPI documents.
// If an option is invalid, this script prints the valid options.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { staleBuild } from '../../scripts/built.mjs'
import { buildIfChanged, digestOf, serverFile } from './digest.mjs'

const usage = `npm run build -w packages/docs -- [options]

Build the site from the bundles of the specification into dist/site.

  --report <file>  Show this JSON report from the conformance kit. By default, show the
                   report of npm run conformance or of the smoke test, if it exists
  --detection <file>
                   Show this report from npm run mutants -- --detection. By default,
                   show dist/detection.json, if it exists
  --origin <url>   Set the site's public address. Without this option, the site has
                   no site map and no canonical links
  --out <folder>   Write the site to <folder>/site instead of dist/site
  --help           Print this help`

const begun = performance.now()
const folder = fileURLToPath(new URL('.', import.meta.url))
const { origin, out, ...values } = readFlags({
  report: { type: 'string' },
  detection: { type: 'string' },
  origin: { type: 'string' },
  out: { type: 'string', default: join(folder, 'dist') },
})
const stale = staleBuild()
if (stale) {
  console.error(stale)
  process.exit(1)
}
const ownReports = ['report.json', 'smoke.json'].map((name) => join(folder, 'dist', name))
const report = values.report ?? ownReports.find((file) => existsSync(file))
const ownDetection = join(folder, 'dist/detection.json')
const detection = values.detection ?? (existsSync(ownDetection) ? ownDetection : undefined)
const specification = fileURLToPath(new URL('../dist/', import.meta.resolve('@svc-admin/spec')))
const inputs = ['src', 'guides', 'package.json', 'build.mjs', 'digest.mjs'].map((name) => join(folder, name))
const digest = digestOf(
  [...inputs, specification, ...[report, detection].filter(Boolean)],
  [origin, process.version],
)
const seconds = () => `${((performance.now() - begun) / 1000).toFixed(2)} s`

const built = await buildIfChanged({ out, digest, build })
if (built === undefined) console.log(`The site is up to date (${seconds()}).`)
else {
  for (const name of built.unknown) console.error(`Unknown name in a guide: ${name}`)
  if (built.unknown.length > 0) process.exitCode = 1
  console.log(`${built.pages} pages (${built.written} files written) in ${seconds()}: ${join(out, 'site')}`)
}

async function build() {
  const { register } = await import('tsx/esm/api')
  register()
  const [{ buildSite }, { readInputs }] = await Promise.all([
    import('./src/build-site.ts'),
    import('./src/inputs.ts'),
  ])
  const inputs = readInputs(report, detection)
  // esbuild bundles the server in another process while this process builds the site.
  const [site] = await Promise.all([buildSite(inputs, { out, origin }), bundleServer()])
  return site
}

/** Bundles the MCP server so that the packed package has no dependencies. */
async function bundleServer() {
  const { build } = await import('esbuild')
  await build({
    entryPoints: [join(folder, 'src/mcp/main.ts')],
    outfile: join(out, serverFile),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
    // Bundled CommonJS modules load Node.js modules with `require`, so the bundle has to define `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
}

function readFlags(options) {
  try {
    const { help, ...given } = parseArgs({ options: { ...options, help: { type: 'boolean' } } }).values
    if (!help) return given
    console.log(usage)
    process.exit(0)
  } catch ({ message }) {
    console.error(`${message.split('. ')[0].replace(/\.$/, '')}: run --help for the options`)
    process.exit(2)
  }
}
