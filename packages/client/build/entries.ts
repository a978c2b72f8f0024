import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'

/** Bundles each entry as ES modules with shared chunks, and as CommonJS. */
export async function buildEntries(root: URL, entries: Record<string, string>): Promise<void> {
  const dist = new URL('dist/', root)
  // Chunk names contain a hash: chunks of the last build would be published too.
  for (const name of readdirSync(dist)) if (/\.c?js$/.test(name)) rmSync(new URL(name, dist))
  const shared: BuildOptions = {
    absWorkingDir: fileURLToPath(root),
    entryPoints: Object.entries(entries).map(([out, file]) => ({ in: file, out })),
    bundle: true,
    outdir: 'dist',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
    legalComments: 'none',
    // Inlines constants. Otherwise the bundler of an application can't know that they are constant.
    minifySyntax: true,
  }
  await build({
    ...shared,
    format: 'esm',
    splitting: true,
    chunkNames: 'chunk-[hash]',
    external: ['@noble/hashes/*', 'openapi-fetch'],
  })
  // Contains openapi-fetch. Its CommonJS file has its function in `exports.default`, where `import` from a package of ES
  // modules doesn't look.
  await build({ ...shared, format: 'cjs', outExtension: { '.js': '.cjs' } })
}
