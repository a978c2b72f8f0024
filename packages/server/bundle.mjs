/**
 * Bundles `dist/main.js` into one file after `tsc`. Without a bundle, the server would spend most of its startup time
 * loading five hundred small files.
 */
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { licensesOf } from '../../scripts/licenses.mjs'

const dist = fileURLToPath(new URL('dist/', import.meta.url))

/** Imports the operation files statically, because a bundled server can't search a folder for them. */
const inlineOperations = {
  name: 'inline operations',
  setup({ onLoad }) {
    onLoad({ filter: /operations[/\\]operation-files\.js$/ }, ({ path }) => {
      const folder = dirname(path)
      const files = readdirSync(folder, { recursive: true }).filter((name) =>
        /[/\\][a-z]+[A-Z]\w*\.js$/.test(name),
      )
      const imports = files.map(
        (name, index) => `import operation${index} from './${name.replaceAll('\\', '/')}'`,
      )
      const rows = files.map(
        (name, index) => `{ file: '${/(\w+)\.js$/.exec(name)[1]}', module: operation${index} }`,
      )
      const contents = `${imports.join('\n')}\nexport const loadOperationFiles = async () => [${rows.join(', ')}]`
      return { contents, resolveDir: folder }
    })
  },
}

/** Inlines the names of write-only properties so that the server doesn't load the OpenAPI document at startup. */
const inlineWriteOnlyFields = {
  name: 'inline write-only fields',
  setup({ onLoad }) {
    onLoad({ filter: /specification[/\\]write-only\.js$/ }, async ({ path }) => {
      const { writeOnlyFields } = await import(pathToFileURL(path))
      const names = JSON.stringify([...writeOnlyFields()])
      return { contents: `const names = new Set(${names})\nexport const writeOnlyFields = () => names` }
    })
  },
}

const { metafile } = await build({
  entryPoints: [join(dist, 'main.js')],
  outfile: join(dist, 'main.js'),
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  metafile: true,
  // Fastify and its dependencies call `require`, so the banner defines `require`.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'\nconst require = requireOf(import.meta.url)",
  },
  /**
   * Packages that aren't bundled because they contain native code, have only a few files, or are loaded on demand.
   * Fastify's schemas, logger and request injection are also excluded from the bundle, because the server never uses
   * them. The server's own code, Kysely and the rest of Fastify are bundled.
   */
  external: [
    '@fastify/ajv-compiler',
    '@fastify/fast-json-stringify-compiler',
    '@fastify/static',
    '@opentelemetry/api',
    '@photostructure/sqlite',
    '@svc-admin/spec',
    'ajv',
    'ajv-formats',
    'light-my-request',
    'pg',
    'pino',
    'prom-client',
  ],
  plugins: [inlineOperations, inlineWriteOnlyFields],
  logLevel: 'warning',
})

await writeFile(join(dist, 'LICENSES-of-others'), licensesOf(metafile))
