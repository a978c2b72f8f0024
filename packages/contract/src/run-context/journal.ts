import { appendFileSync, existsSync } from 'node:fs'
import type { OperationId } from '@svc-admin/types'
import { operations } from '@svc-admin/types'
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  parseJson,
  stringAt,
} from '../document/json.ts'
import type { Removal } from '../model/leftover.ts'
import type { Coverage, Result } from '../model/result.ts'
import type { Selection } from '../model/selection.ts'
import { Misconfiguration } from '../model/signals.ts'
import { expectWritable, readText } from '../target/files.ts'
import type { ClockReading, EventCondition } from './prerequisites.ts'
import { createSeeded } from './seeded.ts'

export const describeCondition = ({ groupId, eventTypeName, clusterName }: EventCondition): string =>
  `${eventTypeName} at ${[groupId, ...(clusterName === undefined ? [] : [clusterName])].join(' ')}`

/** Describes the time to which a clock was reset. */
export const describeClock = (now: number): string =>
  `the clock: set back to ${new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')}`

/** The target's time at a given real time, and the number of seconds that runs have moved the clock since then. */
export interface MovedClock extends ClockReading {
  /** The real time, in milliseconds since the UNIX epoch. */
  readonly at: number
  readonly seconds: number
}

/** A resource's state before a run changed it, and the operation that restores it. */
export interface OriginalState extends Removal {
  /** The response body from the operation that reads the resource. */
  readonly body: Json
}

/** The resources in a collection before a run adds its own, and the operation that would remove them. */
export interface ExistingResources extends Removal {
  readonly names: readonly string[]
}

/** The settings that must be the same when a run is resumed. */
export interface JournaledRun {
  readonly runTag: string
  readonly seed: number
  readonly strict: boolean
  readonly target: string
  readonly selection: Selection
}

/** A completed check: its result, the judges' observations, and the statuses that occurred. */
export interface Done {
  readonly result: Result
  readonly judged: readonly Result[]
  readonly coverage: readonly Coverage[]
}

/**
 * The resources that a run has created and not yet removed. Each is recorded before anything else happens, so that
 * `contract cleanup` finds it if the run is killed.
 */
export interface Journal {
  created(removal: Removal): void
  removed(removal: Removal): void
  /** Records seeded resources, in the sandbox's format. */
  seeded(content: JsonObject): void
  /** The seeded resources that must be removed, or `undefined` if there are none. */
  seedLeft(): JsonObject | undefined
  unseeded(): void
  /** Records a resource's original state before the first change. */
  original(thing: OriginalState): void
  /** The original states that have not been restored yet. */
  changed(): OriginalState[]
  /** Records that the original state was restored, or that a collection's list is no longer needed. */
  restored(thing: Removal): void
  /** Records a collection's resources before a run adds its own. */
  existing(place: ExistingResources): void
  /** For each collection to which runs add resources, the earlier resources. */
  allExisting(): readonly ExistingResources[]
  /** Records a condition before it is raised. Even if raising it fails, it may be active. */
  raised(condition: EventCondition): void
  ended(condition: EventCondition): void
  /** Conditions that may still be active, in the order of their start. */
  activeConditions(): EventCondition[]
  /** Records a clock change before it happens, with the time before the change. */
  moved(clock: MovedClock): void
  /**
   * The time before the first clock change, and the number of seconds moved since then. `undefined` if the clock was
   * reset.
   */
  clock(): MovedClock | undefined
  clockBack(): void
  /** Starts a run and discards earlier runs' results. */
  began(run: JournaledRun): void
  /** Records a completed check and its observations. */
  done(part: Done): void
  /** The latest run, with its completed checks. */
  progress(): { readonly run: JournaledRun | undefined; readonly done: readonly Done[] }
  /** Resources that still have to be removed, most recent first. */
  left(): Removal[]
  /** The calls that remove each resource that was ever created, even if it has already been removed. */
  allCreated(): Removal[]
  /** The tags of all runs in the journal. */
  runTags(): string[]
}

/** A key that identifies a resource, regardless of the parameters' order. */
export const removalKey = ({ operation, parameters }: Removal): string =>
  JSON.stringify([operation, ...Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1))])

/** A key that identifies a condition, regardless of the fields' order. */
export const conditionKey = (condition: EventCondition): string =>
  JSON.stringify(Object.entries(condition).sort())

const isOperationId = (id: string | undefined): id is OperationId =>
  id !== undefined && Object.hasOwn(operations, id)

type Verb = 'made' | 'removed' | 'restored'

type Line =
  | { readonly verb: Verb; readonly removal: Removal }
  | { readonly seed: JsonObject }
  | { readonly found: OriginalState }
  | { readonly stood: ExistingResources }
  | { readonly raised: EventCondition }
  | { readonly ended: EventCondition }
  | { readonly run: JournaledRun }
  | { readonly done: Done }
  | { readonly unseeded: true }
  | { readonly clock: MovedClock }
  | { readonly clockBack: true }

/** Whether the kit wrote this line. The kit ignores other lines, and a truncated line is not JSON. */
const isOwn = <K extends string>(
  entry: Json | undefined,
  key: K,
): entry is JsonObject & Record<K, JsonObject> => isObject(entry) && isObject(entry[key])

const isVerb = (verb: string | undefined): verb is Verb =>
  verb === 'made' || verb === 'removed' || verb === 'restored'

const removalIn = (entry: JsonObject): Removal | undefined => {
  const operation = stringAt(entry, 'operation')
  if (!isOperationId(operation)) return undefined
  const parameters = Object.entries(objectAt(entry, 'parameters')).map(([name, value]) => [
    name,
    String(value),
  ])
  return { operation, parameters: Object.fromEntries(parameters) }
}

const conditionIn = (entry: JsonObject): EventCondition | undefined => {
  const [groupId, eventTypeName] = [stringAt(entry, 'groupId'), stringAt(entry, 'eventTypeName')]
  const clusterName = stringAt(entry, 'clusterName')
  if (groupId === undefined || eventTypeName === undefined) return undefined
  return { groupId, eventTypeName, ...(clusterName !== undefined && { clusterName }) }
}

const clockIn = (entry: JsonObject): MovedClock | undefined => {
  const [now, at, rate, seconds] = ['now', 'at', 'rate', 'seconds'].map((name) => numberAt(entry, name))
  if (now === undefined || at === undefined || rate === undefined || seconds === undefined) return undefined
  return { now, at, rate, seconds }
}

const lineOf = (entry: JsonObject): Line | undefined => {
  if (isOwn(entry, 'seed')) return { seed: entry.seed }
  if (isOwn(entry, 'run')) return { run: JSON.parse(JSON.stringify(entry.run)) }
  if (isOwn(entry, 'done')) return { done: JSON.parse(JSON.stringify(entry.done)) }
  if (entry.unseeded === true) return { unseeded: true }
  const found = isOwn(entry, 'found') ? removalIn(entry.found) : undefined
  if (found !== undefined) return { found: { ...found, body: objectAt(entry, 'found').body ?? null } }
  const stood = isOwn(entry, 'stood') ? removalIn(entry.stood) : undefined
  if (stood !== undefined)
    return { stood: { ...stood, names: listAt(objectAt(entry, 'stood'), 'names').map(String) } }
  const raised = isOwn(entry, 'raised') ? conditionIn(entry.raised) : undefined
  if (raised !== undefined) return { raised }
  const ended = isOwn(entry, 'ended') ? conditionIn(entry.ended) : undefined
  if (ended !== undefined) return { ended }
  const clock = isOwn(entry, 'clock') ? clockIn(entry.clock) : undefined
  if (clock !== undefined) return { clock }
  if (entry.clockBack === true) return { clockBack: true }
  const verb = stringAt(entry, 'verb')
  const removal = removalIn(entry)
  return isVerb(verb) && removal ? { verb, removal } : undefined
}

/** The beginning of every line, which identifies truncated lines. */
const beginnings = [
  '{"verb":"',
  ...['seed', 'found', 'stood', 'raised', 'ended', 'run', 'done', 'clock'].map((name) => `{"${name}":{`),
  '{"unseeded":true}',
  '{"clockBack":true}',
]

const isCut = (line: string): boolean =>
  beginnings.some((start) => line.startsWith(start) || start.startsWith(line))

/**
 * Reads a journal's lines. A line is truncated if the run was killed while writing it.
 *
 * @throws Misconfiguration if the file isn't a journal, because the cleanup would not find any leftovers.
 */
const readLines = (file: string): Line[] =>
  readText(file)
    .split('\n')
    .flatMap((text, index): Line[] => {
      const entry = parseJson(text)
      const line = isObject(entry) ? lineOf(entry) : undefined
      if (line === undefined && (entry !== undefined || !isCut(text)))
        throw new Misconfiguration(
          `${file}:${index + 1} isn't a line of a journal that contract run --journal wrote`,
        )
      return line === undefined ? [] : [line]
    })

/** After a truncated line, the next entry must start on its own line. */
const endLine = (file: string): void => {
  const text = readText(file)
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n')
}

/** The state that the journal describes. */
const createMemory = () => {
  const left = new Map<string, Removal>()
  const made = new Map<string, Removal>()
  const runTags = new Set<string>()
  const changed = new Map<string, OriginalState>()
  const stood = new Map<string, ExistingResources>()
  const holding = new Map<string, EventCondition>()
  const seeded = createSeeded()
  let clock: MovedClock | undefined
  let current: JournaledRun | undefined
  let finished: Done[] = []
  const note = (entry: Line): void => {
    if ('seed' in entry) seeded.add(entry.seed)
    else if ('unseeded' in entry) seeded.clear()
    else if ('run' in entry) {
      ;[current, finished] = [entry.run, []]
      runTags.add(entry.run.runTag)
    } else if ('done' in entry) finished.push(entry.done)
    else if ('raised' in entry) holding.set(conditionKey(entry.raised), entry.raised)
    else if ('ended' in entry) holding.delete(conditionKey(entry.ended))
    else if ('clock' in entry) {
      // The first entry contains the time before all runs.
      const { seconds } = entry.clock
      clock = { ...(clock ?? entry.clock), seconds: (clock?.seconds ?? 0) + seconds }
    } else if ('clockBack' in entry) clock = undefined
    // Another caller may have created resources between two runs. They don't belong to either run.
    else if ('stood' in entry) stood.set(removalKey(entry.stood), entry.stood)
    else if ('found' in entry) {
      // The first entry contains the original state. Later entries may contain a state that a run left behind.
      if (!changed.has(removalKey(entry.found))) changed.set(removalKey(entry.found), entry.found)
    } else if (entry.verb === 'made') {
      left.set(removalKey(entry.removal), entry.removal)
      made.set(removalKey(entry.removal), entry.removal)
    } else if (entry.verb === 'removed') left.delete(removalKey(entry.removal))
    else for (const map of [changed, stood]) map.delete(removalKey(entry.removal))
  }
  return {
    ...{ note, left, made, runTags, changed, stood, holding, seeded },
    clock: () => clock,
    progress: () => ({ run: current, done: finished }),
  }
}

/**
 * Opens a journal, including the leftovers from earlier runs.
 *
 * @param file The journal's path. Without a file, the journal is only in memory.
 */
export const openJournal = (file?: string): Journal => {
  const { note, left, made, runTags, changed, stood, holding, seeded, ...memory } = createMemory()
  if (file !== undefined) expectWritable('the journal', file)
  if (file !== undefined && existsSync(file)) {
    for (const line of readLines(file)) note(line)
    endLine(file)
  }
  const append = (entry: object): void => {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`)
  }
  const write = (verb: Verb, { operation, parameters }: Removal): void => {
    const removal = { operation, parameters }
    note({ verb, removal })
    append({ verb, ...removal })
  }
  const turn = (condition: EventCondition, on: boolean): void => {
    if (holding.has(conditionKey(condition)) === on) return
    const entry = on ? { raised: condition } : { ended: condition }
    note(entry)
    append(entry)
  }
  return {
    created: (removal) => write('made', removal),
    removed: (removal) => write('removed', removal),
    restored: (thing) => write('restored', thing),
    original(thing) {
      note({ found: thing })
      append({ found: thing })
    },
    changed: () => [...changed.values()].reverse(),
    existing(place) {
      note({ stood: place })
      append({ stood: place })
    },
    allExisting: () => [...stood.values()],
    raised: (condition) => turn(condition, true),
    ended: (condition) => turn(condition, false),
    activeConditions: () => [...holding.values()],
    moved(moved) {
      note({ clock: moved })
      append({ clock: moved })
    },
    clock: memory.clock,
    clockBack() {
      if (memory.clock() === undefined) return
      note({ clockBack: true })
      append({ clockBack: true })
    },
    seeded(content) {
      const added = seeded.add(content)
      if (Object.keys(added).length > 0) append({ seed: added })
    },
    seedLeft: () => seeded.left(),
    unseeded() {
      if (seeded.left() === undefined) return
      note({ unseeded: true })
      append({ unseeded: true })
    },
    began(run) {
      runTags.add(run.runTag)
      append({ run })
    },
    done: (done) => append({ done }),
    progress: memory.progress,
    left: () => [...left.values()].reverse(),
    allCreated: () => [...made.values()],
    runTags: () => [...runTags],
  }
}
