import { loadDocument, type OpenApiDocument } from '@svc-admin/spec'
import { type Version, versions } from '@svc-admin/types'

const documents = new Map<Version, OpenApiDocument>()

/** Loads a version's document. Each document is loaded only once per process. */
export function documentOf(version: Version): OpenApiDocument {
  const known = documents.get(version)
  if (known) return known
  const document = loadDocument(version)
  documents.set(version, document)
  return document
}

/**
 * The version that operations implement. Requests and responses in older versions are converted to or from this
 * version.
 */
export const newestVersion: Version = versions[versions.length - 1]?.id ?? versions[0].id
