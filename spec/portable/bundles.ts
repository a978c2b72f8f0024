import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../build/bundle.ts'
import { readFacts } from '../build/sources.ts'

export interface BundleFile {
  version: string
  file: string
  document: unknown
}

/** Bundles all documents into a temporary folder, as files that tools can be given. */
export async function bundleFiles(): Promise<{ folder: string; bundles: BundleFile[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-admin-portable-'))
  const documents = await bundle(readFacts().versions)
  const bundles = [...documents].map(([version, document]) => {
    const file = join(folder, `${version}.json`)
    writeFileSync(file, JSON.stringify(document))
    return { version, file, document }
  })
  return { folder, bundles }
}
