import { limits } from '@svc-admin/types'
import { isArray, isObject, type Json, jsonBody } from '../document/json.ts'
import type { Call } from '../model/call.ts'
import type { Removal } from '../model/leftover.ts'
import { maxPages, pageQuery } from '../model/pages.ts'
import type { Target } from '../target/target.ts'
import { type Journal, removalKey } from './journal.ts'
import { isMarked } from './marks.ts'
import { type ProvidedResourcesOptions, reasonOf } from './provided.ts'
import { type Collection, collectionOf, namesIn, removerOf } from './removers.ts'
import { isProvided } from './settings.ts'

/** A list in a provided project or cluster. */
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

/** The list of resources that an operation removes. */
const listOf = ({ operation, parameters }: Removal): ResourceList | undefined => {
  const collection = collectionOf(operation)
  return collection && { ...collection, parameters: withoutNames(collection, parameters) }
}

/**
 * Lists in provided projects and clusters to which runs added, or may have added, resources. Seeded projects and
 * clusters are removed with everything in them.
 */
const listsOf = (journal: Journal, target: Target): ResourceList[] => {
  const places = [...journal.allCreated(), ...journal.allExisting()].map(listOf)
  const provided = places.flatMap((place) => (place && isProvided(target, place.parameters) ? [place] : []))
  return [...new Map(provided.map((place) => [keyOf(place), place])).values()]
}

type Request = ProvidedResourcesOptions['request']

/** A list's elements. Paged lists have one field with elements, and other lists have several. */
const elementsOf = (body: Json | undefined): Json[] =>
  isObject(body)
    ? Object.entries(body).flatMap(([name, field]) => (name !== 'links' && isArray(field) ? field : []))
    : []

/** Resources that the target file names, and resources whose original state was not restored. */
const providedNames = ({ things }: Target, journal: Journal): ReadonlySet<string> =>
  new Set([
    ...Object.values(things),
    ...journal.changed().flatMap(({ parameters }) => Object.values(parameters)),
  ])

/**
 * Returns whether only API calls create these resources. Clusters, for example, also get snapshots and jobs without a
 * call.
 */
const isCreatedOnlyByCalls = ({ parameters }: ResourceList): boolean =>
  Object.keys(parameters).every((name) => name === 'groupId')

const inOrder = (names: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(names).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Finds resources that a target stored without reporting them. */
export interface LeftoverFinder {
  /**
   * Before the first call that creates a resource in a list, records the resources in that list. Skips lists to which
   * other callers add resources.
   */
  beforeChange(call: Pick<Call, 'cell'>, parameters: Readonly<Record<string, string>>): Promise<void>
  /** Records unreported resources for the cleanup. */
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
 * Creates a finder for resources that a target stored without reporting them, for example because it stored a
 * resource twice. A resource belongs to a run if it has the run's mark and was not provided. (If a provided resource
 * has the mark, a change was not restored.) A resource that can't have a mark belongs to a run if it did not exist
 * before the run and nothing else creates resources there.
 */
export const createLeftoverFinder = ({
  target,
  journal,
  runTag,
  request,
  cellOf,
}: Options): LeftoverFinder => {
  const listedBefore = new Map<string, Promise<void>>()

  // The resources in a list, or `undefined` if not all of them can be read.
  const listed = async ({ list, parameters }: ResourceList): Promise<Json[] | undefined> => {
    const { maximum } = limits.itemsPerPage
    // Lists without paging would reject the paging parameters.
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

  // Records the run's resources in a list. If the list can't be read, doesn't record any resources.
  const noteLeftoversIn = async (place: ResourceList): Promise<void> => {
    const { remover, parameters } = place
    const items = await listed(place)
    if (items === undefined) return
    const stood = journal.allExisting().find((one) => removalKey(one) === keyOf(place))
    const before = target.lentAlone ? stood?.names : undefined
    const runTags = [runTag, ...journal.runTags()]
    const provided = providedNames(target, journal)
    const known = new Set(journal.left().map(removalKey))
    for (const item of items) {
      const names = namesIn(remover, item)
      // If there are several names, the last one identifies the resource. For example, a provider has many roles.
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
