import type { VersionFact } from '../src/model.ts'
import type { IndexEntry } from './model.ts'

/** All decisions about one operation, which are stored in one row of `index/decided-operations.yaml`. */
interface OperationRow {
  /** The method and the path without the generation's prefix, for example `GET /groups/{groupId}/alerts`. */
  request: string
  /** The status of a successful response. */
  status: number
  /** Whether v1.0 has the operation. */
  'v1.0'?: boolean
  /** The versions of v2 in which the operation has its own media type. */
  versions?: string[]
  /** The versions in which the operation is deprecated. */
  deprecated?: string[]
}

/** Operations by tag and ID. */
export interface OperationRows {
  /** The reason that applies to all decisions in the file. */
  because: string
  operations: Record<string, Record<string, OperationRow>>
}

/**
 * Expands each row into several index entries. An operation gets an entry for its request, for its success status, and
 * for each of its versions and deprecations.
 *
 * @param dates All versions in v2, in order.
 */
export function operationEntries(
  { because, operations }: OperationRows,
  dates: readonly VersionFact[],
): IndexEntry[] {
  const entries = Object.entries(operations).flatMap(([tag, rows]) =>
    Object.entries(rows).flatMap(([id, row]) => [
      requestEntry(id, tag, row, dates),
      decision(id, '/success', `Returns ${row.status} on success`, {
        facts: [`response:${id}`, 'requirement:errors.success-status'],
        holds: { status: row.status },
      }),
      ...(row.versions ?? []).flatMap((version) => versionEntries(id, row, version, dates)),
    ]),
  )
  return entries.map((entry, place) => (place === 0 ? { ...entry, because } : entry))
}

const decision = (
  id: string,
  part: string,
  says: string,
  rest: Pick<IndexEntry, 'facts' | 'holds' | 'in' | 'only'>,
): IndexEntry => ({ key: `decided: Operations/${id}${part}`, says, strength: 'decided', ...rest })

function requestEntry(id: string, tag: string, row: OperationRow, dates: readonly VersionFact[]): IndexEntry {
  const [method = '', path = ''] = row.request.split(' ')
  const [first = ''] = row.versions ?? []
  const documents = first === dates[0]?.id ? 'v2' : `${first}+`
  return decision(id, '', row.request, {
    facts: [`operation:${id}`, 'requirement:operations.method-and-path'],
    holds: { method, path, tag },
    ...(row['v1.0'] ? { in: ['v1.0', 'v2'] } : { in: [documents], only: true }),
  })
}

function versionEntries(
  id: string,
  { versions = [], deprecated = [] }: OperationRow,
  version: string,
  dates: readonly VersionFact[],
): IndexEntry[] {
  const place = versions.indexOf(version)
  const next = versions[place + 1]
  const later = dates.slice(dates.findIndex(({ id }) => id === version))
  const documents = later
    .slice(0, next ? later.findIndex(({ id }) => id === next) : undefined)
    .map(({ id }) => id)
  const served = versions.length === 1 ? 'own' : place === 0 ? 'first' : 'next'
  const isDeprecated = deprecated.includes(version)
  return [
    decision(id, `/${version}`, `Has version ${version}`, {
      facts: [`response:${id}`, `requirement:versions.${served}-date-served`],
      holds: { mediaType: later[0]?.mediaType ?? '' },
      in: documents,
    }),
    decision(
      id,
      `/${version}/${isDeprecated ? 'deprecated' : 'not-deprecated'}`,
      `Version ${version} is ${isDeprecated ? 'deprecated' : 'not deprecated'}`,
      {
        facts: [
          `operation:${id}`,
          `requirement:versions.${isDeprecated ? 'deprecated-carries-deprecation' : 'current-carries-no-deprecation'}`,
        ],
        holds: { deprecated: isDeprecated },
        in: documents,
      },
    ),
  ]
}
