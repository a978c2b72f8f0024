/**
 * Bundles `dist/main.js` into one file after `tsc`. Loading five hundred small files would take most of the
 * start-up time.
 */
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { licensesOf } from '../../scripts/licenses.mjs'

const dist = fileURLToPath(new URL('dist/', import.meta.url))

/** Replaces the search for operation files with static imports, because a bundle has no folders to search. */
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

/**
 * Inlines the names of write-only properties. Otherwise, the first response would have to wait for the
 * document to load.
 */
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
  // The banner provides `require`, which Fastify and its dependencies use.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'\nconst require = requireOf(import.meta.url)",
  },
  /**
   * Bundles the server's own code, Kysely and Fastify. All other packages contain native code, have only a few files,
   * or are loaded on demand. Fastify's schemas, its logger and injected requests aren't bundled either, because the
   * server never uses them.
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
