import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { asNode, asText } from '../rules/read/json.ts'
import { type Bundles, bundlesOfCommit, git } from './commit.ts'
import { withoutProse } from './prose.ts'
import type { Release } from './releases.ts'

/** A release: its documents without descriptions, and the dates on which versions end. */
export interface Baseline {
  /** The name of the tag or the record that contains the release. */
  name: string
  documents: Release
  sunsets: Record<string, string>
}

const recordFile = new URL('baseline.json.br', import.meta.url)

/**
 * Returns the newest release in the history of `HEAD`. If there is no tag, for example in a shallow clone, or the tag
 * is older than the record, returns the record. The record can be newer because the release process writes the record
 * before creating the tag.
 */
export function newestBaseline(): Baseline | undefined {
  const tag = newestTag()
  const record = readRecord(recordFile)
  return tag === undefined || isLater(record?.name, tag) ? record : baselineOf(tag, bundlesOfCommit(tag))
}

/** Returns whether one release is later than the other. Each release's name ends with its version. */
export function isLater(one = '', other = ''): boolean {
  const [mine = '', its = ''] = [one, other].map((name) => /\d+(\.\d+)*$/.exec(name)?.[0])
  return mine.localeCompare(its, 'en', { numeric: true }) > 0
}

function newestTag(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'spec-v*')
  } catch {
    return undefined
  }
}

export function baselineOf(name: string, { documents, facts }: Bundles): Baseline {
  const sunsets = facts.versions.flatMap((version) => {
    const day = asText(asNode(version).sunset)
    return day ? [[version.id, day] as const] : []
  })
  return { name, documents, sunsets: Object.fromEntries(sunsets) }
}

export function readRecord(file: URL): Baseline | undefined {
  if (!existsSync(file)) return undefined
  const { name, documents, sunsets } = JSON.parse(brotliDecompressSync(readFileSync(file)).toString())
  return { name, documents: new Map(Object.entries(documents)), sunsets }
}

/**
 * Writes a record of a release. The record contains no descriptions or examples, because these may change after the
 * release and make up half of the documents.
 */
export function writeRecord({ name, documents, sunsets }: Baseline, file: URL = recordFile): void {
  const promised = [...documents].map(([id, document]) => [id, withoutProse(document)])
  const text = JSON.stringify({ name, sunsets, documents: Object.fromEntries(promised) })
  writeFileSync(file, brotliCompressSync(text))
}
