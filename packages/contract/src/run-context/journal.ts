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
import type { Coverage } from '../engine/judging.ts'
import type { Selection } from '../engine/plan.ts'
import type { Result } from '../engine/result.ts'
import { Misconfiguration } from '../engine/signals.ts'
import { expectWritable, readText } from '../target/files.ts'
import type { MovedClock } from './clock.ts'
import type { EventCondition } from './prerequisites.ts'
import { createSeeded } from './seeded.ts'

/** How to remove a thing that a run made. */
export interface Removal {
  readonly operation: OperationId
  readonly parameters: Readonly<Record<string, string>>
}

/** What could not be removed or put back, and why. */
export interface Leftover {
  readonly operation: OperationId | 'unseed' | 'setClock' | 'raiseEvent'
  readonly parameters: Readonly<Record<string, string>>
  readonly reason: string
}

/** What is left, in words: the operation that would take it away or change it back, and why it did not. */
export const describeLeftover = ({ operation, parameters, reason }: Leftover): string =>
  `${[operation, ...Object.values(parameters)].join(' ')}: ${reason}`

/** A condition, in words. */
export const describeCondition = ({ groupId, eventTypeName, clusterName }: EventCondition): string =>
  `${eventTypeName} at ${[groupId, ...(clusterName === undefined ? [] : [clusterName])].join(' ')}`

/** The moment that a clock was put back to, in words. */
export const describeClock = (now: number): string =>
  `the clock: put back to ${new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')}`

/** How something was that a run changed, and the operation that changes it back. */
export interface OriginalState extends Removal {
  /** What its reading operation answered. */
  readonly body: Json
}

/** What stands where a run makes things, by the operation that would remove it. */
export interface ExistingResources extends Removal {
  readonly names: readonly string[]
}

/** What a run has to have in common with the one that it takes up. */
export interface JournalledRun {
  readonly runTag: string
  readonly seed: number
  readonly strict: boolean
  /** Address of the target. */
  readonly target: string
  readonly selection: Selection
}

/** A check that is done: its result, what judges saw in its exchanges for the first time, and statuses seen so. */
export interface Done {
  readonly result: Result
  readonly judged: readonly Result[]
  readonly coverage: readonly Coverage[]
}

/**
 * What a run made and has not removed yet. It is written down before anything else happens, so that
 * `contract cleanup` finds it when the run was killed.
 */
export interface Journal {
  created(removal: Removal): void
  removed(removal: Removal): void
  /** Notes what is put in place on a sandbox, as the sandbox takes it. */
  seeded(content: JsonObject): void
  /** What was put in place and has to be taken away, or `undefined`. */
  seedLeft(): JsonObject | undefined
  unseeded(): void
  /** Notes how something is before it is changed for the first time. */
  original(thing: OriginalState): void
  /** What was changed and is not put back yet, as it was found first. */
  changed(): OriginalState[]
  /** What was found is as it was again, or nothing more has to be told from what stood there. */
  restored(thing: Removal): void
  /** Notes what stands at a place before a run makes something there. */
  existing(place: ExistingResources): void
  /** What stood where runs were about to make something. */
  allExisting(): readonly ExistingResources[]
  /** Notes a condition before it is raised: it may hold, whatever comes of that. */
  raised(condition: EventCondition): void
  ended(condition: EventCondition): void
  /** What was raised and is not known to have ended, in that order. */
  activeConditions(): EventCondition[]
  /** Notes a move of the clock before it is made, with where it stood by then. */
  moved(clock: MovedClock): void
  /** Where the clock stood before the first move, and by how much it was moved since; `undefined` once it is back. */
  clock(): MovedClock | undefined
  clockBack(): void
  /** Begins a run: what earlier ones found out is no longer asked for. */
  began(run: JournalledRun): void
  /** Notes a check that is done, with what else came to light in it. */
  done(part: Done): void
  /** The run that was begun last, and the checks of it that are done. */
  progress(): { readonly run: JournalledRun | undefined; readonly done: readonly Done[] }
  /** What is left, last made first. */
  left(): Removal[]
  /** How to remove whatever was ever made, whether or not it is gone. */
  allCreated(): Removal[]
  /** What the runs that were begun are called by. */
  runTags(): string[]
}

/** The same for the same thing, in whatever order its parameters were found in a path or an answer. */
export const removalKey = ({ operation, parameters }: Removal): string =>
  JSON.stringify([operation, ...Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1))])

/** The same for the same condition, in whatever order its members were written. */
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
  | { readonly run: JournalledRun }
  | { readonly done: Done }
  | { readonly unseeded: true }
  | { readonly clock: MovedClock }
  | { readonly clockBack: true }

/** What the kit wrote itself is what it reads: a line that was cut is no JSON. */
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

/** How lines begin, so that one that was cut is known. */
const beginnings = [
  '{"verb":"',
  ...['seed', 'found', 'stood', 'raised', 'ended', 'run', 'done', 'clock'].map((name) => `{"${name}":{`),
  '{"unseeded":true}',
  '{"clockBack":true}',
]

const isCut = (line: string): boolean =>
  beginnings.some((start) => line.startsWith(start) || start.startsWith(line))

/**
 * The lines of a journal. One is cut where a run was killed while it wrote.
 *
 * @throws Misconfiguration when the file is something else: what a run left is not to be looked for in vain.
 */
const readLines = (file: string): Line[] =>
  readText(file)
    .split('\n')
    .flatMap((text, index): Line[] => {
      const entry = parseJson(text)
      const line = isObject(entry) ? lineOf(entry) : undefined
      if (line === undefined && (entry !== undefined || !isCut(text)))
        throw new Misconfiguration(
          `${file}:${index + 1} is no line of a journal, as contract run --journal writes it`,
        )
      return line === undefined ? [] : [line]
    })

/** An entry that follows a line that was cut has to begin one of its own. */
const endLine = (file: string): void => {
  const text = readText(file)
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n')
}

/** What the lines of a journal come to. */
const createMemory = () => {
  const left = new Map<string, Removal>()
  const made = new Map<string, Removal>()
  const runTags = new Set<string>()
  const changed = new Map<string, OriginalState>()
  const stood = new Map<string, ExistingResources>()
  const holding = new Map<string, EventCondition>()
  const seeded = createSeeded()
  let clock: MovedClock | undefined
  let current: JournalledRun | undefined
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
      // Where it stood first is where somebody had it.
      const { seconds } = entry.clock
      clock = { ...(clock ?? entry.clock), seconds: (clock?.seconds ?? 0) + seconds }
    } else if ('clockBack' in entry) clock = undefined
    // What somebody made between two runs is of neither.
    else if ('stood' in entry) stood.set(removalKey(entry.stood), entry.stood)
    else if ('found' in entry) {
      // The first is how somebody left it; a later one may be how a run did.
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
 * Opens a journal; what an earlier run left is in it.
 *
 * @param file where it is kept; without one, it is kept in memory.
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
