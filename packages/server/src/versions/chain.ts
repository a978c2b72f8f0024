import { type OperationId, type Version, versions } from '@svc-admin/types'
import { since20230101 } from './2023-01-01.ts'
import { since20240530 } from './2024-05-30.ts'
import { since20240805 } from './2024-08-05.ts'
import type { VersionChange } from './version-change.ts'

/** The changes to request and response bodies, by version. Versions that only add operations have no entry. */
const changes: { readonly [V in Version]?: VersionChange } = {
  '2023-01-01': since20230101,
  '2024-05-30': since20240530,
  '2024-08-05': since20240805,
}

const newestFirst = versions.map((version) => version.id).reverse()

/** For each version, all later versions, newest first. */
const later = new Map(versions.map(({ id }) => [id, newestFirst.slice(0, newestFirst.indexOf(id))]))

/** Converts a request body from the client's version to the newest version. */
export function translateRequest(id: OperationId, from: Version, body: unknown): unknown {
  return (later.get(from) ?? []).reduceRight(
    (translated, version) => changes[version]?.requests?.[id]?.(translated) ?? translated,
    body,
  )
}

/** Returns whether an operation's responses differ between a version and the newest version. */
export function changesResponse(id: OperationId, to: Version): boolean {
  return later.get(to)?.some((version) => changes[version]?.responses?.[id]) ?? false
}

/** Converts a response body from the newest version to the client's version. */
export function translateResponse(id: OperationId, to: Version, body: unknown): unknown {
  return newestFirst
    .slice(0, newestFirst.indexOf(to))
    .reduce((translated, version) => changes[version]?.responses?.[id]?.(translated) ?? translated, body)
}
