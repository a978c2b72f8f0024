import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { asNode, asText } from '../rules/read/json.ts'
import { type Bundles, bundlesOfCommit, git } from './commit.ts'
import { withoutProse } from './prose.ts'
import type { Release } from './releases.ts'

/** What was promised: the documents without their texts, and the announced last day of each version that has one. */
export interface Baseline {
  /** A tag, or the name of the record. */
  name: string
  documents: Release
  sunsets: Record<string, string>
}

const recordFile = new URL('baseline.json.br', import.meta.url)

/**
 * The newest release that HEAD descends from, or the record where there is no tag, as in a shallow clone, or only that
 * of an earlier release: the step to a version records it, and its tag comes with what is published.
 */
export function newestBaseline(): Baseline | undefined {
  const tag = newestTag()
  const record = readRecord(recordFile)
  return tag === undefined || isLater(record?.name, tag) ? record : baselineOf(tag, bundlesOfCommit(tag))
}

/** Whether the version that ends the one name is later than that of the other. */
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

/** Keeps what programs rely on. Texts and examples are half of the documents, and may change. */
export function writeRecord({ name, documents, sunsets }: Baseline, file: URL = recordFile): void {
  const promised = [...documents].map(([id, document]) => [id, withoutProse(document)])
  const text = JSON.stringify({ name, sunsets, documents: Object.fromEntries(promised) })
  writeFileSync(file, brotliCompressSync(text))
}
