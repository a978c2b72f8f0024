import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { licensesOf } from '../../scripts/licenses.mjs'
import type { Facts } from '../src/model.ts'
import { root } from './read-yaml.ts'

/**
 * Bundles our rules into a single CommonJS file for the Spectral CLI and for editors. These programs can't load ES
 * modules and don't install packages that a ruleset imports.
 */
export async function writeRuleset(dist: string, facts: Facts): Promise<void> {
  const names = readdirSync(join(root, 'rules')).filter((name) => /^[\w-]+\.ts$/.test(name))
  const rules = names.map((name) => `require('./rules/${name}').rule`)
  // Spectral requires `module.exports` to be the ruleset itself.
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
    // Spectral loads rulesets with a parser that doesn't support newer syntax.
    target: 'es2021',
    logLevel: 'warning',
  })
  const types = '/** A Spectral ruleset, for `extends`. */\ndeclare const ruleset: object\nexport = ruleset\n'
  writeFileSync(join(dist, 'spectral.d.cts'), types)
  writeFileSync(join(dist, 'LICENSES-of-others'), licensesOf(metafile, root))
}
