import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { completeDocument, resolveFiles } from '../build/bundle.ts'
import { readDemo, readFacts, readHeaders } from '../build/sources.ts'

export interface BundleFile {
  version: string
  file: string
  document: unknown
}

/** Bundles all documents into a temporary folder, as files that tools can be given. */
export function bundleFiles(): { folder: string; bundles: BundleFile[] } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-admin-portable-'))
  const facts = readFacts()
  const sources = { facts, demo: readDemo(), headers: readHeaders() }
  const resolved = resolveFiles(facts.versions)
  const bundles = facts.versions.flatMap((version) => {
    const found = resolved.get(version.id)
    if (!found) return []
    const document = completeDocument(found, version, sources)
    const file = join(folder, `${version.id}.json`)
    writeFileSync(file, JSON.stringify(document))
    return [{ version: version.id, file, document }]
  })
  return { folder, bundles }
}
