import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Entries that need separate declarations for ES modules and CommonJS. The openapi-fetch package has separate
 * declarations for each format. A client typed for one format doesn't work with libraries that use the other format.
 */
const copied = new Set(['openapi-fetch'])

/**
 * Creates the published declarations. One copy in a CommonJS folder is enough because ES modules can also import types
 * from CommonJS.
 */
export function publishTypes(root: URL, entries: Record<string, string>): void {
  const dist = new URL('dist/', root)
  const types = new URL('types/', dist)
  const generated = new URL('generated/', dist)
  mkdirSync(new URL('tables/', types), { recursive: true })
  cpSync(new URL('api/', generated), new URL('api/', types), { recursive: true })
  for (const name of readdirSync(generated).filter((each) => each.endsWith('.d.ts'))) {
    cpSync(new URL(name, generated), new URL(`tables/${name}`, types))
  }
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.d.ts')) rewrite(new URL(name, types), name.split('/').length - 1)
    if (name.endsWith('.d.ts.map')) referToCopies(new URL(name, types))
  }
  copySources(new URL('src/', root), new URL('sources/', dist))
  writeFileSync(new URL('package.json', types), '{ "type": "commonjs" }\n')
  for (const [entry, source] of Object.entries(entries)) {
    const name = source.replace(/^src\//, '').replace(/\.ts$/, '')
    const text = copied.has(entry)
      ? moveUp(new URL(`${name}.d.ts`, types))
      : `export * from './types/${name}.js'\n`
    writeFileSync(new URL(`${entry}.d.ts`, dist), text)
    writeFileSync(new URL(`${entry}.d.cts`, dist), text)
  }
}

/** Moves an entry's declarations from `types` to the parent folder, and returns their text. */
function moveUp(file: URL): string {
  const text = readFileSync(file, 'utf8').replace(/(['"])\.\//g, '$1./types/')
  const map = new URL(`${file.href}.map`)
  // Both declaration files refer to this source map.
  writeFileSync(
    new URL(`../${map.pathname.split('/').at(-1)}`, file),
    readFileSync(map, 'utf8').replace('"../sources/', '"sources/'),
  )
  rmSync(file)
  rmSync(map)
  return text
}

/** Points a declaration's source map to the published copy of the source file, which editors can open. */
function referToCopies(file: URL): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"((?:\.\.\/)*)\.\.\/src\//g, '"$1sources/'))
}

function copySources(from: URL, to: URL): void {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
}

/**
 * Adds file extensions to relative imports because not all compiler versions can resolve imports without an extension.
 */
function rewrite(file: URL, depth: number): void {
  const up = depth === 0 ? './' : '../'.repeat(depth)
  const text = readFileSync(file, 'utf8')
    .replace(/(['"])#api\1/g, `'${up}api/index.js'`)
    .replace(/(['"])#paths\1/g, `'${up}api/paths.js'`)
    .replace(/(['"])#types\1/g, `'${up}public-types.js'`)
    .replace(/(['"])#tables\/([\w-]+)\1/g, `'${up}tables/$2.js'`)
    .replace(/(['"])(\.[^'"]*?)(?:\.d)?\.ts\1/g, `'$2.js'`)
  writeFileSync(file, file.pathname.includes('/types/tables/') ? text.replace("'./api/", "'../api/") : text)
}
