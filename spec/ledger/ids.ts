import type { Requirement } from '../src/model.ts'
import type { IndexEntry, Ledger, Problem, RecordedIds } from './model.ts'

const form = /^[a-z][A-Za-z0-9-]*\.[a-z0-9]+(-[a-z0-9]+)*$/

/** Parses `ids.txt`, which contains one ID per line. Retired IDs are followed by `retired:` and a reason. */
export function parseIds(text: string): RecordedIds {
  const current: string[] = []
  const retired = new Map<string, string>()
  for (const line of text.split('\n').filter((each) => each && !each.startsWith('#'))) {
    const [id = '', reason] = line.split(/\s+retired:\s*/)
    if (reason === undefined) current.push(id.trim())
    else retired.set(id.trim(), reason.trim())
  }
  return { current, retired }
}

/**
 * Formats `ids.txt` with the IDs of all requirements. IDs of missing requirements aren't removed from the file, because
 * the check must continue to report them.
 */
export function formatIds(requirements: Requirement[], { current, retired }: RecordedIds): string {
  const lines = [
    ...new Set([...requirements.map(({ id }) => id), ...current].filter((id) => !retired.has(id))),
    ...[...retired].map(([id, reason]) => `${id} retired: ${reason}`),
  ].sort()
  return [
    '# The IDs of all released requirements. IDs are never reused. If you remove a requirement, add `retired: <reason>` to its ID.',
    ...lines,
    '',
  ].join('\n')
}

/**
 * Lists problems with requirement IDs: duplicate, malformed or unrecorded IDs, missing IDs that weren't retired with a
 * reason, and retired IDs that are used again.
 */
export function idProblems({ requirements, index, ids }: Ledger): Problem[] {
  const used = requirements.map(({ id }) => id)
  const present = new Set(used)
  const recorded = new Set(ids.current)
  return [
    ...repeated(used).map((id) => ({ at: id, says: 'is the ID of several requirements' })),
    ...repeated(index.map(({ key }: IndexEntry) => key)).map((key) => ({
      at: key,
      says: 'is the key of several entries',
    })),
    ...[...present]
      .filter((id) => !form.test(id))
      .map((id) => ({ at: id, says: 'must have the format <area>.<kebab-case>' })),
    ...ids.current
      .filter((id) => !present.has(id))
      .map((id) => ({
        at: id,
        says: 'is missing. If you removed it on purpose, retire it with a reason in ids.txt',
      })),
    ...[...present]
      .filter((id) => ids.retired.has(id))
      .map((id) => ({ at: id, says: 'was retired and must not be reused' })),
    ...[...ids.retired]
      .filter(([, reason]) => !reason)
      .map(([id]) => ({ at: id, says: 'was retired without a reason' })),
    ...[...present]
      .filter((id) => !recorded.has(id) && !ids.retired.has(id))
      .map((id) => ({ at: id, says: 'is not in ids.txt. Add it with --record' })),
  ]
}

function repeated(values: string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]
}
