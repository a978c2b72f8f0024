import { versionNumberOf } from '../../spec/src/version-number.ts'
import { type Checkout, type FileChange, InputError } from './change.ts'
import { newestDate, versionsFile } from './versions.ts'

/**
 * Plans the files for a new dated version, which starts as a copy of the newest version.
 *
 * @param today The current date in the format YYYY-MM-DD.
 * @throws {InputError} if the date is invalid or isn't later than the newest version.
 */
export function planDate(
  checkout: Checkout,
  date: string,
  today = new Date().toISOString().slice(0, 10),
): FileChange[] {
  const newest = newestDate(checkout)
  if (!isDate(date)) throw new InputError(`${date} is not a date: expected YYYY-MM-DD`)
  if (date <= newest.id)
    throw new InputError(`${date} must be later than ${newest.id}, the newest version in ${versionsFile}`)
  const folder = `spec/v2/${date}`
  return [
    {
      path: versionsFile,
      text: withRow(checkout.read(versionsFile), newest.id, date),
      isNew: false,
      next: `${newest.id} is now superseded${date > today ? yetToCome(date) : ''}`,
    },
    {
      path: `${folder}/openapi.yaml`,
      text: indexFrom(checkout.read(`spec/v2/${newest.id}/openapi.yaml`), newest.id, date),
      isNew: true,
      next: 'for each changed path, add a file to paths/ and refer to the file here',
    },
    {
      path: `${serverVersions}/${date}.ts`,
      text: serverChange(date),
      isNew: true,
      next: 'convert the changed fields; if you only add operations, remove this file and its two lines in chain.ts',
    },
    {
      path: `${serverVersions}/chain.ts`,
      text: withChange(checkout.read(`${serverVersions}/chain.ts`), date),
      isNew: false,
    },
  ]
}

const yetToCome = (date: string): string => `; requests for ${date} return 406 until that date`

const serverVersions = 'packages/server/src/versions'

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

const withRow = (text: string, newest: string, date: string): string => {
  const at =
    text.indexOf(`- { id: "${newest}"`) >= 0
      ? text.indexOf(`- { id: "${newest}"`)
      : text.indexOf(`- id: "${newest}"`)
  const before = text.slice(0, at)
  const rows = text.slice(at).replace('status: current', 'status: superseded')
  return `${before}${rows.trimEnd()}
  - id: "${date}"
    generation: v2
    folder: v2/${date}
    mediaType: application/vnd.svc.${date}+json
    status: current
`
}

const indexFrom = (index: string, newest: string, date: string): string =>
  index
    .replaceAll(/\$ref: (paths|schemas)\//g, `$ref: ../${newest}/$1/`)
    .replace(`version: ${versionNumberOf(newest)}`, `version: ${versionNumberOf(date)}`)

const nameOf = (date: string): string => `since${date.replaceAll('-', '')}`

const serverChange = (date: string): string => `import type { VersionChange } from './version-change.ts'

/** Version ${date} doesn't change any schemas. */
export const ${nameOf(date)}: VersionChange = {}
`

/** Adds the changes in a version to the list of all changes. The new import is placed before the type imports. */
const withChange = (chain: string, date: string): string =>
  chain
    .replace(/^import type \{ VersionChange \}/m, `import { ${nameOf(date)} } from './${date}.ts'\n$&`)
    .replace(/^(const changes\b[^\n]*\{\n[^}]*)\}/m, `$1  '${date}': ${nameOf(date)},\n}`)
