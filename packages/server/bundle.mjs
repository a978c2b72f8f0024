// After `tsc`: makes of `dist/main.js` one file with all that a start reads of ours. To look up and read five hundred
// small files takes longer than everything else that a start does.
import { readdirSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
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
const namedMembers = {
  name: 'named members',
  setup({ onLoad }) {
    onLoad({ filter: /specification[/\\]write-only\.js$/ }, async ({ path }) => {
      const { writeOnlyMembers } = await import(pathToFileURL(path))
      const names = JSON.stringify([...writeOnlyMembers()])
      return { contents: `const names = new Set(${names})\nexport const writeOnlyMembers = () => names` }
    })
  },
}

await build({
  entryPoints: [join(dist, 'main.js')],
  outfile: join(dist, 'main.js'),
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Ours and Kysely, which is 280 files. The others are few files, native, or read only where somebody wants them.
  external: [
    '@fastify/static',
    '@opentelemetry/api',
    '@svc-admin/spec',
    'ajv',
    'ajv-formats',
    'fastify',
    'libsql',
    'pg',
    'prom-client',
  ],
  plugins: [namedOperations, namedMembers],
  logLevel: 'warning',
})

const require = createRequire(import.meta.url)
// Its licence asks to be wherever it is.
await copyFile(join(dirname(require.resolve('kysely')), '../../LICENSE'), join(dist, 'LICENSE-kysely'))
