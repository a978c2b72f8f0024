// After `tsc`: makes of `dist/main.js` one file with all that a start reads of ours. To look up and read five hundred
// small files takes longer than everything else that a start does.
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const dist = fileURLToPath(new URL('dist/', import.meta.url))

/** In one file there are no folders to look through: the operations are named instead. */
const namedOperations = {
  name: 'named operations',
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

/** What the newest document says of its members is known now: the first answer need not wait for all of it to be read. */
const namedFields = {
  name: 'named members',
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
  // What Fastify and its parts ask Node for, in words of CommonJS.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'\nconst require = requireOf(import.meta.url)",
  },
  // Ours, Kysely and Fastify. The others are few files, native, or read only where somebody wants them; those that
  // belong to Fastify nobody does here: schemas of its own, its log, requests without a connection.
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
  plugins: [namedOperations, namedFields],
  logLevel: 'warning',
})

/** The folders of packages of others of which something is in the file. */
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((input) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
)

/** What a package says of its licence: its text, or, where it has none, its name in the manifest. */
function licenceOf(folder) {
  const name = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
  const { license, version, name: title } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${title} ${version}\n\n${name ? readFileSync(join(folder, name), 'utf8').trim() : license}\n`
}

// Licences ask to be wherever what they are about is.
const licences = [...packages].sort().map((folder) => licenceOf(resolve(folder)))
await writeFile(join(dist, 'LICENSES-of-others'), licences.join(`\n${'-'.repeat(80)}\n\n`))
