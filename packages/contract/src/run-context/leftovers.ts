import { limits } from '@svc-admin/types'
import { isArray, isObject, type Json, jsonBody } from '../document/json.ts'
import type { Call } from '../engine/call.ts'
import { maxPages, pageQuery } from '../engine/pages.ts'
import type { Target } from '../target/target.ts'
import { type Journal, type Removal, removalKey } from './journal.ts'
import { isMarked } from './marks.ts'
import { type ProvidedResourcesOptions, reasonOf } from './provided.ts'
import { type Collection, collectionOf, namesIn, removerOf } from './removers.ts'
import { isProvided } from './settings.ts'

/** A list in what is lent. */
interface ResourceList extends Collection {
  readonly parameters: Readonly<Record<string, string>>
}

const withoutNames = (
  { remover }: Collection,
  parameters: ResourceList['parameters'],
): ResourceList['parameters'] =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !remover.parameters.includes(name)))

const removalAt = ({ remover, parameters }: ResourceList): Removal => ({ operation: remover.id, parameters })

const keyOf = (place: ResourceList): string => removalKey(removalAt(place))

/** Where something is listed that an operation removes. */
const listOf = ({ operation, parameters }: Removal): ResourceList | undefined => {
  const collection = collectionOf(operation)
  return collection && { ...collection, parameters: withoutNames(collection, parameters) }
}

/**
 * Lists of what is lent in which runs have made something, or were about to; what was put in place goes away with all
 * that is in it.
 */
const listsOf = (journal: Journal, target: Target): ResourceList[] => {
  const places = [...journal.allCreated(), ...journal.allExisting()].map(listOf)
  const provided = places.flatMap((place) => (place && isProvided(target, place.parameters) ? [place] : []))
  return [...new Map(provided.map((place) => [keyOf(place), place])).values()]
}

type Request = ProvidedResourcesOptions['request']

/** The elements of a list, whose paged form has them under one name and others under several. */
const elementsOf = (body: Json | undefined): Json[] =>
  isObject(body)
    ? Object.entries(body).flatMap(([name, field]) => (name !== 'links' && isArray(field) ? field : []))
    : []

/** Things whose names are those that a target calls its own, or whose change was not put back. */
const providedNames = ({ things }: Target, journal: Journal): ReadonlySet<string> =>
  new Set([
    ...Object.values(things),
    ...journal.changed().flatMap(({ parameters }) => Object.values(parameters)),
  ])

/** What nothing but calls of the API makes: a cluster gets snapshots and jobs by itself. */
const isCreatedOnlyByCalls = ({ parameters }: ResourceList): boolean =>
  Object.keys(parameters).every((name) => name === 'groupId')

const inOrder = (names: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(names).sort(([one], [other]) => (one < other ? -1 : 1)))

/** What a target stores without telling of it. */
export interface LeftoverFinder {
  /** Lists what is there before a call makes something there for the first time, where nobody else does. */
  beforeChange(call: Pick<Call, 'cell'>, parameters: Readonly<Record<string, string>>): Promise<void>
  /** Notes what was stored without being told of, so that it is removed. */
  note(): Promise<void>
}

interface Options {
  readonly target: Target
  readonly journal: Journal
  readonly runTag: string
  readonly request: Request
  readonly cellOf: ProvidedResourcesOptions['cellOf']
}

/**
 * Finds what a target has stored without telling of it, as one does that stores twice what was sent once. It is of a
 * run where it carries its mark and is nothing that was lent, whose marks are those of a change that was not put back.
 * What has no place for a mark is of a run where it was not there before, and nobody else makes anything there.
 */
export const createLeftoverFinder = ({
  target,
  journal,
  runTag,
  request,
  cellOf,
}: Options): LeftoverFinder => {
  const listedBefore = new Map<string, Promise<void>>()

  /** What is listed at a place; `undefined` where nobody may read it all. */
  const listed = async ({ list, parameters }: ResourceList): Promise<Json[] | undefined> => {
    const { maximum } = limits.itemsPerPage
    // Of another list, an unknown parameter would ask for pages.
    const { paged } = cellOf(list).operation
    const items: Json[] = []
    for (let number = 1; number <= maxPages; number += 1) {
      const query = paged ? { query: pageQuery(number, maximum) } : {}
      const exchange = await request(list, parameters, query).catch((error) => {
        reasonOf(error)
        return undefined
      })
      if (exchange === undefined || exchange.response.status >= 300) return undefined
      const page = elementsOf(jsonBody(exchange.response))
      items.push(...page)
      if (!paged || page.length < maximum) return items
    }
    return undefined
  }

  const noteExisting = async (place: ResourceList): Promise<void> => {
    const names = (await listed(place))?.flatMap((item) => [namesIn(place.remover, item) ?? []].flat())
    if (names !== undefined) journal.existing({ ...removalAt(place), names: names.map(inOrder) })
  }

  /** Notes what of a place is of a run. */
  const noteLeftoversIn = async (place: ResourceList): Promise<void> => {
    const { remover, parameters } = place
    const items = await listed(place)
    // Where nobody may read, nothing is found.
    if (items === undefined) return
    const stood = journal.allExisting().find((one) => removalKey(one) === keyOf(place))
    const before = target.lentAlone ? stood?.names : undefined
    const runTags = [runTag, ...journal.runTags()]
    const provided = providedNames(target, journal)
    const known = new Set(journal.left().map(removalKey))
    for (const item of items) {
      const names = namesIn(remover, item)
      // Of several names, the last is the thing's own: a provider has many roles.
      if (names === undefined || provided.has(names[remover.parameters.at(-1) ?? ''] ?? '')) continue
      if (!isMarked(item, runTags) && before?.includes(inOrder(names)) !== false) continue
      const leftover: Removal = { operation: remover.id, parameters: { ...parameters, ...names } }
      if (!known.has(removalKey(leftover))) journal.created(leftover)
    }
    if (stood !== undefined) journal.restored(stood)
  }

  return {
    async beforeChange({ cell: { operation } }, parameters) {
      const remover = removerOf(operation)
      const place = remover && listOf({ operation: remover.id, parameters })
      if (!target.lentAlone || place === undefined) return
      if (!isCreatedOnlyByCalls(place) || !isProvided(target, place.parameters)) return
      const known = listedBefore.get(keyOf(place)) ?? noteExisting(place)
      listedBefore.set(keyOf(place), known)
      await known
    },
    async note() {
      for (const place of listsOf(journal, target)) await noteLeftoversIn(place)
      listedBefore.clear()
    },
  }
}
