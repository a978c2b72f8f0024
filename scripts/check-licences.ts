// What is published must be free to use for everybody who installs it: a licence that asks for more than a notice
// comes in through some dependency of a dependency, where nobody looks.
import { readSource, report } from './sources.ts'

/** Licences that ask for no more than a notice. */
const accepted = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
]

/** For tools of the work on the repository, which nobody else installs, a licence may also ask for changes back. */
const acceptedForTools = [...accepted, 'MPL-2.0', 'PostgreSQL']

/** Packages whose metadata names no licence or points to a file, with what their files say. */
const statedElsewhere: Readonly<Record<string, string>> = { spawndamnit: 'MIT' }

interface LockedPackage {
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
}

const isWorkspace = (path: string) => !path.includes('node_modules/')

/** Whether an SPDX expression can be met with licences of the list. */
export function isMet(expression: string, list: readonly string[]): boolean {
  const text = expression.replace(/^\((.*)\)$/, '$1')
  if (text.includes(' OR ')) return text.split(' OR ').some((part) => isMet(part, list))
  if (text.includes(' AND ')) return text.split(' AND ').every((part) => isMet(part, list))
  return list.includes(text)
}

export function problemsOf(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages).flatMap(([path, { license, dev, devOptional, link }]) => {
    if (isWorkspace(path) || link) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licence = statedElsewhere[name] ?? license
    if (licence === undefined) return [`${path}: names no licence`]
    const list = dev || devOptional ? acceptedForTools : accepted
    return isMet(licence, list) ? [] : [`${path}: ${licence} is not among ${list.join(', ')}`]
  })
}

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readSource('package-lock.json'))
report('every dependency may be used freely', problemsOf(lock.packages))
