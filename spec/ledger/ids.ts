import type { Requirement } from '../src/model.ts'
import type { IndexEntry, Ledger, Problem, RecordedIds } from './model.ts'

const form = /^[a-z][A-Za-z0-9-]*\.[a-z0-9]+(-[a-z0-9]+)*$/

/** Reads `ids.txt`: one id on a line; a retired one says why after `retired:`. */
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

/** Writes `ids.txt` with the ids that are there now; what vanished stays, so that the check still tells of it. */
export function formatIds(requirements: Requirement[], { current, retired }: RecordedIds): string {
  const lines = [
    ...new Set([...requirements.map(({ id }) => id), ...current].filter((id) => !retired.has(id))),
    ...[...retired].map(([id, reason]) => `${id} retired: ${reason}`),
  ].sort()
  return [
    '# Every requirement id that was ever released. An id is never used again: one that goes gets `retired: <why>`.',
    ...lines,
    '',
  ].join('\n')
}

/** Lists ids that are used twice, badly formed, gone without a reason, back from retirement or not recorded. */
export function idProblems({ requirements, index, ids }: Ledger): Problem[] {
  const used = requirements.map(({ id }) => id)
  const present = new Set(used)
  const recorded = new Set(ids.current)
  return [
    ...repeated(used).map((id) => ({ at: id, says: 'is the id of more than one requirement' })),
    ...repeated(index.map(({ key }: IndexEntry) => key)).map((key) => ({
      at: key,
      says: 'is the key of more than one entry',
    })),
    ...[...present]
      .filter((id) => !form.test(id))
      .map((id) => ({ at: id, says: 'is not of the form <area>.<kebab-case>' })),
    ...ids.current
      .filter((id) => !present.has(id))
      .map((id) => ({ at: id, says: 'vanished; retire it with a reason in ids.txt' })),
    ...[...present]
      .filter((id) => ids.retired.has(id))
      .map((id) => ({ at: id, says: 'was retired and cannot be used again' })),
    ...[...ids.retired]
      .filter(([, reason]) => !reason)
      .map(([id]) => ({ at: id, says: 'was retired without a reason' })),
    ...[...present]
      .filter((id) => !recorded.has(id) && !ids.retired.has(id))
      .map((id) => ({ at: id, says: 'is not in ids.txt; record it with --record' })),
  ]
}

function repeated(values: string[]): string[] {
  return [...new Set(values.filter((value, place) => values.indexOf(value) !== place))]
}
