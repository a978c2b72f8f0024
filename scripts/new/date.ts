import { type Checkout, type FileChange, Refusal } from './change.ts'
import { newestDate, versionsFile } from './versions.ts'

/**
 * A new dated version, which at first promises what the newest one does.
 *
 * @param today as YYYY-MM-DD
 * @throws {Refusal} if the date is none, or not later than the newest.
 */
export function planDate(
  checkout: Checkout,
  date: string,
  today = new Date().toISOString().slice(0, 10),
): FileChange[] {
  const newest = newestDate(checkout)
  if (!isDate(date)) throw new Refusal(`${date} is no date: a day as YYYY-MM-DD was expected`)
  if (date <= newest.id)
    throw new Refusal(`${date} is not later than ${newest.id}, the newest version in ${versionsFile}`)
  const folder = `spec/v2/${date}`
  return [
    {
      path: versionsFile,
      text: withRow(checkout.read(versionsFile), newest.id, date),
      isNew: false,
      next: `${newest.id} is superseded from now on${date > today ? yetToCome(date) : ''}`,
    },
    {
      path: `${folder}/openapi.yaml`,
      text: indexFrom(checkout.read(`spec/v2/${newest.id}/openapi.yaml`), newest.id, date),
      isNew: true,
      next: 'what changes gets a path file of its own in paths/, and its line here',
    },
    {
      path: `${serverVersions}/${date}.ts`,
      text: serverChange(date),
      isNew: true,
      next: 'translate what changed; if operations are only added, remove the file and its two lines in chain.ts',
    },
    {
      path: `${serverVersions}/chain.ts`,
      text: withChange(checkout.read(`${serverVersions}/chain.ts`), date),
      isNew: false,
    },
  ]
}

const yetToCome = (date: string): string =>
  `; a date yet to come is none to the server, which answers 406 to who asks for it before ${date}`

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
    .replace(
      `title: Cloud Database Administration API ${newest}`,
      `title: Cloud Database Administration API ${date}`,
    )
    .replace(`version: "${newest}"`, `version: "${date}"`)

const nameOf = (date: string): string => `since${date.replaceAll('-', '')}`

const serverChange = (date: string): string => `import type { VersionChange } from './version-change.ts'

/** ${date} changes no shape. */
export const ${nameOf(date)}: VersionChange = {}
`

/** The chain with the change of one more date, which it imports before its types. */
const withChange = (chain: string, date: string): string =>
  chain
    .replace(/^import type \{ VersionChange \}/m, `import { ${nameOf(date)} } from './${date}.ts'\n$&`)
    .replace(/^(const changes\b[^\n]*\{\n[^}]*)\}/m, `$1  '${date}': ${nameOf(date)},\n}`)
