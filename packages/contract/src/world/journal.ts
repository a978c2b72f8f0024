import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { OperationId } from '@svc-admin/types'
import { operations } from '@svc-admin/types'
import { isObject, type Json, type JsonObject, objectAt, parseJson, stringAt } from '../document/json.ts'
import type { Coverage } from '../engine/bench.ts'
import type { Result } from '../engine/result.ts'
import { createSeeded } from './seeded.ts'

/** How to remove a thing that a run made. */
export interface Removal {
  readonly operation: OperationId
  readonly parameters: Readonly<Record<string, string>>
}

/** What a run has to have in common with the one that it takes up. */
export interface JournalledRun {
  readonly runTag: string
  readonly seed: number
  readonly strict: boolean
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
  made(removal: Removal): void
  removed(removal: Removal): void
  /** Notes what is put in place on a sandbox, as the sandbox takes it. */
  seeded(content: JsonObject): void
  /** What was put in place and has to be taken away, or `undefined`. */
  seedLeft(): JsonObject | undefined
  unseeded(): void
  /** Begins a run: what earlier ones found out is no longer asked for. */
  began(run: JournalledRun): void
  /** Notes a check that is done, with what else came to light in it. */
  done(part: Done): void
  /** The run that was begun last, and the checks of it that are done. */
  progress(): { readonly run: JournalledRun | undefined; readonly done: readonly Done[] }
  /** What is left, last made first. */
  left(): Removal[]
}

const keyOf = ({ operation, parameters }: Removal): string => JSON.stringify([operation, parameters])

const isOperationId = (id: string | undefined): id is OperationId =>
  id !== undefined && Object.hasOwn(operations, id)

type Line =
  | { readonly verb: string; readonly removal: Removal }
  | { readonly seed: JsonObject }
  | { readonly run: JournalledRun }
  | { readonly done: Done }

/** What the kit wrote itself is what it reads: a line that was cut is no JSON. */
const isOwn = <K extends string>(
  entry: Json | undefined,
  key: K,
): entry is JsonObject & Record<K, JsonObject> => isObject(entry) && isObject(entry[key])

const parseLine = (line: string): Line | undefined => {
  const entry = parseJson(line)
  const seed = isObject(entry) ? entry.seed : undefined
  if (isObject(seed)) return { seed }
  if (isOwn(entry, 'run')) return { run: JSON.parse(JSON.stringify(entry.run)) }
  if (isOwn(entry, 'done')) return { done: JSON.parse(JSON.stringify(entry.done)) }
  const operation = stringAt(entry, 'operation')
  const verb = stringAt(entry, 'verb')
  if (!isObject(entry) || verb === undefined || !isOperationId(operation)) return undefined
  const parameters = Object.entries(objectAt(entry, 'parameters')).map(([name, value]) => [
    name,
    String(value),
  ])
  return { verb, removal: { operation, parameters: Object.fromEntries(parameters) } }
}

/**
 * Opens a journal; what an earlier run left is in it.
 *
 * @param file where it is kept; without one, it is kept in memory.
 */
export const openJournal = (file?: string): Journal => {
  const left = new Map<string, Removal>()
  const note = (verb: 'made' | 'removed', removal: Removal): void => {
    if (verb === 'made') left.set(keyOf(removal), removal)
    else left.delete(keyOf(removal))
  }
  const lines = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const seeded = createSeeded()
  let current: JournalledRun | undefined
  let finished: Done[] = []
  for (const line of lines) {
    // The last line may be cut when the run was killed while it wrote.
    const entry = parseLine(line)
    if (entry === undefined) continue
    if ('seed' in entry) seeded.add(entry.seed)
    else if ('run' in entry) [current, finished] = [entry.run, []]
    else if ('done' in entry) finished.push(entry.done)
    else if (entry.verb === 'made' || entry.verb === 'removed') note(entry.verb, entry.removal)
  }
  const append = (entry: object): void => {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`)
  }
  const write = (verb: 'made' | 'removed', removal: Removal): void => {
    note(verb, removal)
    append({ verb, ...removal })
  }
  return {
    made: (removal) => write('made', removal),
    removed: (removal) => write('removed', removal),
    seeded(content) {
      const added = seeded.add(content)
      if (Object.keys(added).length > 0) append({ seed: added })
    },
    seedLeft: () => seeded.left(),
    unseeded: () => seeded.clear(),
    began: (run) => append({ run }),
    done: (done) => append({ done }),
    progress: () => ({ run: current, done: finished }),
    left: () => [...left.values()].reverse(),
  }
}
