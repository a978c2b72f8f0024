import { limits, type OperationId } from '@svc-admin/types'
import { type Json, jsonBody, listAt } from '../document/json.ts'
import { mostPages, numbered } from '../engine/pages.ts'
import type { Target } from '../target/target.ts'
import { type Journal, type Removal, removalKey } from './journal.ts'
import { type LentOptions, reasonOf } from './lent.ts'
import { isMarked } from './marks.ts'
import { type Collection, collectionOf, namesIn } from './removers.ts'
import { isLent } from './settings.ts'

interface Place extends Collection {
  readonly parameters: Readonly<Record<string, string>>
}

/** Lists of what is lent in which runs have made something; what was put in place goes away with all that is in it. */
const placesOf = (journal: Journal, target: Target): Place[] => {
  const places = new Map<string, Place>()
  for (const { operation, parameters } of journal.everMade()) {
    const collection = collectionOf(operation)
    if (collection === undefined) continue
    const own = collection.remover.parameters
    const rest = Object.entries(parameters).filter(([name]) => !own.includes(name))
    const place = { ...collection, parameters: Object.fromEntries(rest) }
    if (isLent(target, place.parameters)) places.set(JSON.stringify([place.list, rest.sort()]), place)
  }
  return [...places.values()]
}

type Request = LentOptions['request']

/** What is listed at a place, as far as it can be read. */
const listed = async (
  list: OperationId,
  parameters: Readonly<Record<string, string>>,
  request: Request,
): Promise<Json[]> => {
  const { maximum } = limits.itemsPerPage
  const items: Json[] = []
  for (let number = 1; number <= mostPages; number += 1) {
    const { response } = await request(list, parameters, { query: numbered(number, maximum) })
    const page = response.status < 300 ? listAt(jsonBody(response), 'results') : []
    items.push(...page)
    if (page.length < maximum) break
  }
  return items
}

interface Options {
  readonly target: Target
  readonly journal: Journal
  readonly runTag: string
  readonly request: Request
}

/**
 * Notes what a target has stored without telling of it, as one does that stores twice what was sent once. It is of a
 * run where it carries its mark and is nothing that was lent, whose marks are those of a change that was not put back.
 */
export const noteStrays = async ({ target, journal, runTag, request }: Options): Promise<void> => {
  const runTags = [runTag, ...journal.runTags()]
  const lent = new Set([
    ...Object.values(target.things),
    ...journal.changed().flatMap(({ parameters }) => Object.values(parameters)),
  ])
  for (const { list, remover, parameters } of placesOf(journal, target)) {
    const known = new Set(journal.left().map(removalKey))
    // Where nobody may read, nothing is found.
    const items = await listed(list, parameters, request).catch((error) => {
      reasonOf(error)
      return []
    })
    for (const item of items) {
      const names = isMarked(item, runTags) ? namesIn(remover, item) : undefined
      if (names === undefined || Object.values(names).some((name) => lent.has(name))) continue
      const removal: Removal = { operation: remover.id, parameters: { ...parameters, ...names } }
      if (!known.has(removalKey(removal))) journal.made(removal)
    }
  }
}
