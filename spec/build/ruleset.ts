import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { licensesOf } from '../../scripts/licenses.mjs'
import type { Facts } from '../src/model.ts'
import { root } from './read-yaml.ts'

/**
 * Bundles our rules into one file for Spectral's command and for editors. Spectral and editors load only
 * CommonJS, and they don't install the packages that a ruleset needs.
 */
export async function writeRuleset(dist: string, facts: Facts): Promise<void> {
  const names = readdirSync(join(root, 'rules')).filter((name) => /^[\w-]+\.ts$/.test(name))
  const rules = names.map((name) => `require('./rules/${name}').rule`)
  // Spectral expects the CommonJS module to export the ruleset itself.
  const contents = `module.exports = require('./ruleset/ruleset.ts').rulesetOf([${rules}], ${JSON.stringify(facts)})`
  const { metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile: join(dist, 'spectral.cjs'),
    bundle: true,
    minify: true,
    metafile: true,
    absWorkingDir: root,
    format: 'cjs',
    platform: 'node',
    // The parser in Spectral's ruleset loader doesn't support newer syntax.
    target: 'es2021',
    logLevel: 'warning',
  })
  const types = '/** A Spectral ruleset, for `extends`. */\ndeclare const ruleset: object\nexport = ruleset\n'
  writeFileSync(join(dist, 'spectral.d.cts'), types)
  writeFileSync(join(dist, 'LICENSES-of-others'), licensesOf(metafile, root))
}
