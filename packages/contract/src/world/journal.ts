import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { OperationId } from '@svc-admin/types'
import { operations } from '@svc-admin/types'
import { isObject, type JsonObject, objectAt, parseJson, stringAt } from '../document/json.ts'
import { createSeeded } from './seeded.ts'

/** How to remove a thing that a run made. */
export interface Removal {
  readonly operation: OperationId
  readonly parameters: Readonly<Record<string, string>>
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
  /** What is left, last made first. */
  left(): Removal[]
}

const keyOf = ({ operation, parameters }: Removal): string => JSON.stringify([operation, parameters])

const isOperationId = (id: string | undefined): id is OperationId =>
  id !== undefined && Object.hasOwn(operations, id)

type Line = { readonly verb: string; readonly removal: Removal } | { readonly seed: JsonObject }

const parseLine = (line: string): Line | undefined => {
  const entry = parseJson(line)
  const seed = isObject(entry) ? entry.seed : undefined
  if (isObject(seed)) return { seed }
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
  for (const line of lines) {
    // The last line may be cut when the run was killed while it wrote.
    const entry = parseLine(line)
    if (entry === undefined) continue
    if ('seed' in entry) seeded.add(entry.seed)
    else if (entry.verb === 'made' || entry.verb === 'removed') note(entry.verb, entry.removal)
  }
  const append = (entry: JsonObject): void => {
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
    left: () => [...left.values()].reverse(),
  }
}
