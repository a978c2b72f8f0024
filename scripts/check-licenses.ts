/**
 * Checks the licenses of dependencies. The published packages must be free to use, but an indirect dependency could
 * have a restrictive license.
 */
import { readSource, report } from './sources.ts'

/** Licenses that only require a copyright notice. */
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

/**
 * Additional licenses that are allowed for development tools. Users don't install these tools, so licenses that require
 * sharing changes are acceptable.
 */
const acceptedForTools = [...accepted, 'CC-BY-SA-4.0', 'MPL-2.0', 'PostgreSQL']

/** The licenses of packages whose metadata contains no license or only refers to a file. */
const statedElsewhere: Readonly<Record<string, string>> = {
  '@cspell/dict-en-common-misspellings': 'CC-BY-SA-4.0',
  format: 'MIT',
  reserved: 'MIT',
  spawndamnit: 'MIT',
}

interface LockedPackage {
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
}

const isWorkspace = (path: string) => !path.includes('node_modules/')

/** Returns whether a list of licenses satisfies an SPDX expression. */
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
    const stated = statedElsewhere[name] ?? license
    if (stated === undefined) return [`${path}: has no license in its metadata`]
    const list = dev || devOptional ? acceptedForTools : accepted
    return isMet(stated, list) ? [] : [`${path}: license ${stated} is not one of ${list.join(', ')}`]
  })
}

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readSource('package-lock.json'))
report('every dependency has a permissive license', problemsOf(lock.packages))
