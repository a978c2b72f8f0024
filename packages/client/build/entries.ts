import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'

/**
 * Keeps `share-classes` in this package's build. Without this plugin, esbuild would drop the module because
 * `package.json` sets `sideEffects` to false.
 */
const keepShareClasses: Plugin = {
  name: 'keep-share-classes',
  setup({ onResolve }) {
    onResolve({ filter: /\/share-classes\.ts$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path),
      sideEffects: true,
    }))
  },
}

/** Bundles each entry as ES modules with shared chunks, and as CommonJS. */
export async function buildEntries(root: URL, entries: Record<string, string>): Promise<void> {
  const dist = new URL('dist/', root)
  // Delete the chunks from earlier builds.
  // Chunk names contain a hash, so chunks from earlier builds would otherwise remain and be published.
  for (const name of readdirSync(dist)) if (/\.c?js(\.map)?$/.test(name)) rmSync(new URL(name, dist))
  const entryPoints = Object.entries(entries).map(([out, file]) => ({ in: file, out }))
  const shared: BuildOptions = {
    absWorkingDir: fileURLToPath(root),
    entryPoints,
    bundle: true,
    outdir: 'dist',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
    legalComments: 'none',
    sourcemap: true,
    // Inlines constants because an application's bundler can't detect that they never change.
    minifySyntax: true,
    plugins: [keepShareClasses],
  }
  await build({
    ...shared,
    // `share-classes` is a separate file so that an application's bundler can drop it.
    entryPoints: [...entryPoints, { in: 'src/share-classes.ts', out: 'share-classes' }],
    format: 'esm',
    splitting: true,
    chunkNames: 'chunk-[hash]',
    external: ['@noble/hashes/*', 'openapi-fetch'],
  })
  // The CommonJS bundle includes openapi-fetch because that package's CommonJS file exports `exports.default`.
  // ES modules that import this file get an object instead of the function.
  await build({ ...shared, format: 'cjs', outExtension: { '.js': '.cjs' } })
  for (const name of readdirSync(dist)) if (/\.c?js\.map$/.test(name)) publishMap(new URL(name, dist))
}

interface SourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent: readonly (string | null)[]
}

/**
 * Points a source map to the published copies of the source files. For source files that aren't published, the source
 * map includes the source text.
 */
function publishMap(file: URL): void {
  const map: SourceMap = JSON.parse(readFileSync(file, 'utf8'))
  const sourcesContent = map.sources.map((source, index) => {
    if (source.startsWith('../src/')) return null
    return source.startsWith('generated/')
      ? '// A table generated from the OpenAPI documents.\n'
      : (map.sourcesContent[index] ?? null)
  })
  const sources = map.sources.map((source) => source.replace(/^\.\.\/src\//, 'sources/'))
  writeFileSync(file, JSON.stringify({ ...map, sources, sourcesContent }))
}
