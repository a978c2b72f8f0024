import { fileURLToPath } from 'node:url'
import { loadDocument, loadFacts } from '../src/index.ts'

/** The files of the published documents, for use with other tools. */
export const bundles = loadFacts().versions.map(({ id }) => ({
  version: id,
  file: fileURLToPath(new URL(`../dist/${id}.json`, import.meta.url)),
  document: loadDocument(id),
}))
