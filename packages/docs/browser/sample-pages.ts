import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const site = new URL('../dist/site/', import.meta.url)

/** Returns the names of the subfolders in a folder of the built site. */
const foldersIn = (path: string): string[] =>
  readdirSync(fileURLToPath(new URL(path, site)), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

const sizeOf = (path: string): number =>
  readFileSync(fileURLToPath(new URL(`${path}index.html`, site))).length

/**
 * Returns the largest page of each kind. If the largest page fits on the screen, the other pages do too. The page for
 * `updateBackupSchedule` is always included because its long, deeply nested field names make types wrap on phones.
 */
export function samplePages(): Record<string, string> {
  const newest =
    foldersIn('')
      .filter((id) => /^\d{4}-/.test(id))
      .at(-1) ?? ''
  const largest = (folder: string) => {
    const [first = ''] = foldersIn(folder)
      .map((name) => `${folder}${name}/`)
      .sort((a, b) => sizeOf(b) - sizeOf(a))
    return `/${first}`
  }
  return {
    index: '/',
    version: `/${newest}/`,
    operation: largest(`${newest}/operations/`),
    fields: `/${newest}/operations/updateBackupSchedule/`,
    creation: `/${newest}/operations/createAlertConfig/`,
    schema: largest(`${newest}/schemas/`),
    object: `/${newest}/schemas/AlertConfig/`,
    older: `/${foldersIn('')[0] ?? ''}/`,
    changelog: '/changelog/',
    deprecations: '/changelog/deprecated/',
    headers: '/headers/',
    comparison: largest(`changelog/${foldersIn('changelog/')[0] ?? ''}/`),
    error: largest('errors/'),
    errors: '/errors/',
    missing: '/404.html',
    lifecycle: largest('lifecycles/'),
    lifecycles: '/lifecycles/',
    requirements: largest('requirements/'),
    areas: '/requirements/',
    guide: largest('guides/'),
    guides: '/guides/',
    conformance: '/conformance/report/',
    workflow: largest('workflows/'),
    workflows: '/workflows/',
    downloads: '/downloads/',
    role: largest('roles/'),
    roles: '/roles/',
    decisions: '/decisions/',
    decision: largest('decisions/'),
    rules: '/lint-rules/',
    sandbox: '/sandbox/',
    types: `/${newest}/types/`,
    limits: '/limits/',
    implementers: '/implementers/',
    results: '/conformance/',
    try: '/try/',
    search: '/search/?q=alert',
  }
}
