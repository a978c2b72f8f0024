/**
 * Creates the software bill of materials for a release in the CycloneDX format. To run this script, use `node
 * scripts/list-materials.mjs sbom.cdx.json`. The script packs the packages, installs them, and lists what was
 * installed. Don't run `npm sbom --omit=dev` in the repository, because it omits dependencies that another workspace
 * uses only for development, such as ajv and pg.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishedPackages, root } from './steps.mjs'

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Missing output file. Usage: node scripts/list-materials.mjs sbom.cdx.json')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'svc-admin-materials-'))
try {
  const workspaces = publishedPackages().flatMap((name) => ['-w', name])
  npm(root, 'pack', '--ignore-scripts', '--pack-destination', folder, ...workspaces)
  const packed = readdirSync(folder).map((name) => `./${name}`)
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'svc-admin', version: '0.0.0', private: true }),
  )
  npm(folder, 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...packed)
  writeFileSync(file, npm(folder, 'sbom', '--sbom-format=cyclonedx'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function npm(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status === 0) return stdout
  throw new Error(`npm ${args[0]}: ${stderr || stdout}`)
}
