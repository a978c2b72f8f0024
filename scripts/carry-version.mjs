/**
 * After `changeset version` has updated the package versions, updates the version in other files. Also records the API
 * contract of the release, as explained in docs/adr/0009-a-record-without-tags.md.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, publishedPackages, root, step } from './steps.mjs'

const versions = new Map(
  publishedPackages().map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    return [name, version]
  }),
)

function rewrite(path, change) {
  const file = join(root, path)
  const text = readFileSync(file, 'utf8')
  const changed = change(text)
  if (changed !== text) writeFileSync(file, changed)
}

function copyVersion() {
  // Update the examples here, because Changesets only updates workspaces.
  // The examples aren't workspaces, because users copy and install them separately.
  for (const name of readdirSync(join(root, 'examples'))) {
    const path = `examples/${name}/package.json`
    if (!existsSync(join(root, path))) continue
    rewrite(path, (text) =>
      text.replaceAll(/"(@svc-admin\/\w+)": "[^"]+"/g, (line, dependency) =>
        versions.has(dependency) ? `"${dependency}": "${versions.get(dependency)}"` : line,
      ),
    )
  }
  rewrite('packages/server/deploy/kubernetes/server.yaml', (text) =>
    text.replace(/(image: svc-admin-server:)\S+/, `$1${versions.get('@svc-admin/server')}`),
  )
  return { ok: true }
}

const npm = (...args) => command('npm', args)
const steps = [
  ['Copy the version to examples and manifests', copyVersion],
  [
    'Update the lock file',
    () => npm('install', '--package-lock-only', '--ignore-scripts', '--prefer-offline'),
  ],
  ['Build the documents', () => npm('run', 'build', '-w', 'spec')],
  [
    'Record the released documents',
    () => npm('run', 'gate', '-w', 'spec', '--', '--record', `spec ${versions.get('@svc-admin/spec')}`),
  ],
]
process.exitCode = steps.every(([title, run]) => step(title, run).ok) ? 0 : 1
