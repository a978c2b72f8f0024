import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import type { Facts, Requirement } from '../src/model.ts'
import { readDocument } from '../src/read-document.ts'
import { type OperationRows, operationEntries } from './decided-operations.ts'
import { documentFacts } from './document-facts.ts'
import { parseIds } from './ids.ts'
import type { IndexEntry, Ledger, RecordedIds } from './model.ts'
import { sharedFacts } from './shared-facts.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

export const idsFile = join(here, 'ids.txt')
export const decisionsFile = join(here, '../../docs/decisions.md')

export function readIds(): RecordedIds {
  return parseIds(readFileSync(idsFile, 'utf8'))
}

/** Reads all files in `index/`, which has one file for each section. */
export function readIndex(): IndexEntry[] {
  const { versions } = readYaml<Pick<Facts, 'versions'>>('../versions.yaml')
  const dates = versions.filter(({ generation }) => generation === 'v2')
  return readdirSync(join(here, 'index'))
    .sort()
    .flatMap((name): IndexEntry[] => {
      const file = readYaml<{ entries: IndexEntry[] } | OperationRows>(`index/${name}`)
      return 'operations' in file ? operationEntries(file, dates) : file.entries
    })
}

const readYaml = <T>(name: string): T => parse(readFileSync(join(here, name), 'utf8'))

/**
 * Reads the built documents and facts from a folder that has the same structure as `spec/`. The index and the recorded
 * IDs always come from this file's own folder.
 */
export function readLedger(root: string): Ledger {
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(root, 'dist', name), 'utf8'))
  const facts = read<Facts>('facts.json')
  const folder = pathToFileURL(join(root, 'dist/'))
  return {
    index: readIndex(),
    requirements: read<Requirement[]>('requirements.json'),
    documents: new Map(facts.versions.map(({ id }) => [id, documentFacts(readDocument(folder, id))])),
    shared: sharedFacts(facts),
    ids: readIds(),
  }
}
