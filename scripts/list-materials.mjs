/**
 * Creates the software bill of materials for a release in CycloneDX format. To run it, use `node
 * scripts/list-materials.mjs sbom.cdx.json`. In a workspace, `npm sbom --omit=dev` omits dependencies such as ajv and
 * pg, because another package uses them only for development. The script therefore packs and installs the packages, and
 * lists the result.
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
