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

/** Describes the time that a clock was reset to. */
export const describeClock = (now: number): string =>
  `the clock: set back to ${new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')}`

/**
 * A clock that runs have moved: its time at a given real time, and the number of seconds by which it has been moved
 * since.
 */
export interface MovedClock extends ClockReading {
  /** The real time in milliseconds since the UNIX epoch. */
  readonly at: number
  readonly seconds: number
}

/** The state of a resource before a run changed it, and the operation that restores it. */
export interface OriginalState extends Removal {
  /** The body that the read operation returned. */
  readonly body: Json
}

/**
 * The resources that a list contained before a run created other resources, and the operation that removes resources
 * from the list.
 */
export interface ExistingResources extends Removal {
  readonly names: readonly string[]
}

/** The settings of a run. A resumed run must have the same settings. */
export interface JournaledRun {
  readonly runTag: string
  readonly seed: number
  readonly strict: boolean
  readonly target: string
  readonly selection: Selection
}

/** A finished check: its result, what the judges observed, and which statuses occurred. */
export interface Done {
  readonly result: Result
  readonly judged: readonly Result[]
  readonly coverage: readonly Coverage[]
}

/**
 * Records what a run creates and changes. Each entry is written before the kit does anything else, so that
 * `contract cleanup` finds the resources even if the run is killed.
 */
export interface Journal {
  created(removal: Removal): void
  removed(removal: Removal): void
  /** Records seeded resources, in the format of the sandbox. */
  seeded(content: JsonObject): void
  /** Returns the seeded resources that must be removed, or `undefined` if there are none. */
  seedLeft(): JsonObject | undefined
  unseeded(): void
  /** Records the state of a resource before the run changes it for the first time. */
  original(thing: OriginalState): void
  /** Returns the original states that haven't been restored yet. */
  changed(): OriginalState[]
  /** Records that a state was restored, or that the resources in a list no longer matter. */
  restored(thing: Removal): void
  /** Records the resources in a list before the run creates other resources. */
  existing(place: ExistingResources): void
  /** Returns the recorded resources for each list in which runs create resources. */
  allExisting(): readonly ExistingResources[]
  /** Records a condition before it is raised. The condition may be active even if raising it fails. */
  raised(condition: EventCondition): void
  ended(condition: EventCondition): void
  /** Returns the conditions that may still be active, starting with the oldest. */
  activeConditions(): EventCondition[]
  /** Records a change of the clock before it happens, with the time before the change. */
  moved(clock: MovedClock): void
  /**
   * Returns the time before the clock was first moved, and the number of seconds by which it has been moved since.
   * Returns `undefined` if the clock was reset.
   */
  clock(): MovedClock | undefined
  clockBack(): void
  /** Starts a run. The results of earlier runs are discarded. */
  began(run: JournaledRun): void
  /** Records a finished check. */
  done(part: Done): void
  /** Returns the latest run and its finished checks. */
  progress(): { readonly run: JournaledRun | undefined; readonly done: readonly Done[] }
  /** Returns the resources that must still be removed, starting with the newest. */
  left(): Removal[]
  /** Returns the calls that remove the resources that runs have created, including resources that no longer exist. */
  allCreated(): Removal[]
  /** Returns the tags of all runs in the journal. */
  runTags(): string[]
}

/** Returns a key that identifies a resource. The order of the parameters doesn't matter. */
export const removalKey = ({ operation, parameters }: Removal): string =>
  JSON.stringify([operation, ...Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1))])

/** Returns a key that identifies a condition. The order of its fields doesn't matter. */
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

/** Returns whether the kit wrote this line. Other lines are ignored. A truncated line isn't JSON. */
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

/** The possible beginnings of a line in the journal. The beginnings show whether a line is truncated. */
const beginnings = [
  '{"verb":"',
  ...['seed', 'found', 'stood', 'raised', 'ended', 'run', 'done', 'clock'].map((name) => `{"${name}":{`),
  '{"unseeded":true}',
  '{"clockBack":true}',
]

const isCut = (line: string): boolean =>
  beginnings.some((start) => line.startsWith(start) || start.startsWith(line))

/**
 * Reads the lines of a journal. A line is truncated if the run was killed while writing it.
 *
 * @throws Misconfiguration if the file isn't a journal. Otherwise, the cleanup would find no leftovers in the file.
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

/** Ends a truncated line, so that the next entry starts on its own line. */
const endLine = (file: string): void => {
  const text = readText(file)
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n')
}

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
      // The first entry contains the time before any run moved the clock.
      const { seconds } = entry.clock
      clock = { ...(clock ?? entry.clock), seconds: (clock?.seconds ?? 0) + seconds }
    } else if ('clockBack' in entry) clock = undefined
    // Keep only the latest entry, because other callers may have created resources between two runs.
    else if ('stood' in entry) stood.set(removalKey(entry.stood), entry.stood)
    else if ('found' in entry) {
      // Keep only the first entry. Later entries may contain a state that a run has left behind.
      if (!changed.has(removalKey(entry.found))) changed.set(removalKey(entry.found), entry.found)
    } else if (entry.verb === 'made') {
      left.set(removalKey(entry.removal), entry.removal)
      made.set(removalKey(entry.removal), entry.removal)
    } else if (entry.verb === 'removed') left.delete(removalKey(entry.removal))
    else for (const map of [changed, stood]) map.delete(removalKey(entry.removal))
  }
  return {
    note,
    left,
    made,
    runTags,
    changed,
    stood,
    holding,
    seeded,
    clock: () => clock,
    progress: () => ({ run: current, done: finished }),
  }
}

/**
 * Opens a journal, including the leftovers from earlier runs.
 *
 * @param file The path of the journal. Without a file, the journal exists only in memory.
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
