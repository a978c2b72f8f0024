import type { CounterEvent, FinalState, HistoryEvent, RaceEvent, StatusEvent } from './history.ts'

/**
 * Returns a description of each linearizability violation in a history. Violations include lost or duplicate changes,
 * stale reads after an acknowledged write, names assigned to two clients, and statuses that went backward.
 */
export function anomaliesOf(history: readonly HistoryEvent[], final: FinalState): string[] {
  const counters = grouped(
    history.filter((event): event is CounterEvent => event.kind === 'update' || event.kind === 'read'),
  )
  const races = grouped(history.filter((event): event is RaceEvent => event.kind === 'claim'))
  const statuses = grouped(history.filter((event): event is StatusEvent => event.kind === 'status'))
  return [
    ...[...counters].flatMap(([key, events]) => counterAnomalies(key, events, final)),
    ...[...races].flatMap(([key, events]) => raceAnomalies(key, events, final)),
    ...[...statuses].flatMap(([key, events]) => statusAnomalies(key, events)),
    ...repeated(final.once).map((what) => `${what} happened twice`),
    ...repeated(final.names).map((name) => `the name ${name} exists twice`),
  ]
}

/**
 * Checks the history of a resource that counts its changes, such as an index with a version number. The count starts at
 * 1, before the first value is written.
 */
function counterAnomalies(key: string, events: readonly CounterEvent[], final: FinalState): string[] {
  const updates = events.filter(({ kind }) => kind === 'update')
  const done = updates.filter(({ outcome }) => outcome === 'done')
  const unknown = new Set(updates.filter(({ outcome }) => outcome === 'unknown').map(({ mark }) => mark))
  const end = final.counters.get(key)
  if (!end) return [`${key} is gone`]
  const told = events.filter(({ outcome }) => outcome === 'done')
  return [
    ...repeated(done.map(({ count }) => String(count))).map(
      (count) => `${key}: two changes returned the count ${count}`,
    ),
    ...wrongMarks(key, [...told, end], unknown),
    ...backward(
      told,
      ({ count }) => count,
      ({ kind }) => (kind === 'update' ? 1 : 0),
    ).map(
      ([before, after]) => `${key}: ${after.kind} saw ${after.count} after ${before.count} was acknowledged`,
    ),
    ...lost(key, done.length, unknown.size, end.count),
  ]
}

/** Finds counts that were returned with more than one value, and values that were returned with more than one count. */
function wrongMarks(
  key: string,
  seen: readonly { readonly count: number; readonly mark: string }[],
  unknown: ReadonlySet<string>,
): string[] {
  const marks = new Map([[1, '']])
  const counts = new Map([['', 1]])
  const wrong: string[] = []
  for (const { count, mark } of seen) {
    const known = marks.get(count) ?? mark
    if (known !== mark) wrong.push(`${key}: count ${count} has the marks ${known} and ${mark}`)
    const other = counts.get(mark) ?? count
    if (other !== count)
      wrong.push(`${key}: ${mark}${unknown.has(mark) ? ' (no response)' : ''} was applied twice`)
    marks.set(count, mark)
    counts.set(mark, count)
  }
  return [...new Set(wrong)]
}

function lost(key: string, done: number, unknown: number, count: number): string[] {
  const made = count - 1
  if (made < done) return [`${key}: ${done - made} acknowledged changes are lost`]
  return made > done + unknown ? [`${key}: ${made - done - unknown} changes that were never requested`] : []
}

function raceAnomalies(key: string, events: readonly RaceEvent[], final: FinalState): string[] {
  const won = events.filter(({ outcome }) => outcome === 'won').length
  const mayHave = events.some(({ outcome }) => outcome !== 'refused')
  const isThere = final.names.includes(key)
  return [
    ...(won > 1 ? [`the name ${key} was assigned to ${won}`] : []),
    ...(won === 1 && !isThere ? [`the name ${key} was assigned, but is missing`] : []),
    ...(!mayHave ? [`the name ${key} was rejected for all callers`] : []),
  ]
}

function statusAnomalies(key: string, events: readonly StatusEvent[]): string[] {
  return backward(
    events,
    ({ rank }) => rank,
    () => 0,
  ).map(([before, after]) => `${key}: went back from ${before.rank} to ${after.rank}`)
}

/**
 * Finds events whose value is too low. An event's value must be at least `step` greater than the value of every event
 * that ended before this event started. Each event only needs to be compared with the highest value recorded before the
 * event started.
 */
function backward<E extends { started: number; ended: number }>(
  events: readonly E[],
  value: (event: E) => number,
  step: (event: E) => number,
): [E, E][] {
  const byEnd = [...events].sort((a, b) => a.ended - b.ended)
  const byStart = [...events].sort((a, b) => a.started - b.started)
  const found: [E, E][] = []
  let greatest: E | undefined
  let next = 0
  for (const event of byStart) {
    for (let ended = byEnd[next]; ended && ended.ended < event.started; ended = byEnd[next]) {
      if (!greatest || value(ended) > value(greatest)) greatest = ended
      next += 1
    }
    if (greatest && value(event) < value(greatest) + step(event)) found.push([greatest, event])
  }
  return found
}

function grouped<E extends { key: string }>(events: readonly E[]): Map<string, E[]> {
  const groups = new Map<string, E[]>()
  for (const event of events) {
    const group = groups.get(event.key)
    if (group) group.push(event)
    else groups.set(event.key, [event])
  }
  return groups
}

function repeated(texts: readonly string[]): string[] {
  const seen = new Set<string>()
  return texts.filter((text) => seen.size === seen.add(text).size)
}
