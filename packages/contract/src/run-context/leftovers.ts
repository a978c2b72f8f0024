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

/** Returns the list that contains the resource. */
const listOf = ({ operation, parameters }: Removal): ResourceList | undefined => {
  const collection = collectionOf(operation)
  return collection && { ...collection, parameters: withoutNames(collection, parameters) }
}

/**
 * Returns the lists in provided projects and clusters in which runs may have created resources. Seeded projects and
 * clusters aren't included, because removing them also removes the resources in them.
 */
const listsOf = (journal: Journal, target: Target): ResourceList[] => {
  const places = [...journal.allCreated(), ...journal.allExisting()].map(listOf)
  const provided = places.flatMap((place) => (place && isProvided(target, place.parameters) ? [place] : []))
  return [...new Map(provided.map((place) => [keyOf(place), place])).values()]
}

type Request = ProvidedResourcesOptions['request']

/**
 * Returns the elements of a list. A page has one field with elements. Other lists may have several fields with
 * elements.
 */
const elementsOf = (body: Json | undefined): Json[] =>
  isObject(body)
    ? Object.entries(body).flatMap(([name, field]) => (name !== 'links' && isArray(field) ? field : []))
    : []

/** Returns the resources that the target file names and the resources that haven't been restored. */
const providedNames = ({ things }: Target, journal: Journal): ReadonlySet<string> =>
  new Set([
    ...Object.values(things),
    ...journal.changed().flatMap(({ parameters }) => Object.values(parameters)),
  ])

/**
 * Returns whether only API calls create resources in this list. For example, clusters also contain snapshots and jobs
 * that are created without an API call.
 */
const isCreatedOnlyByCalls = ({ parameters }: ResourceList): boolean =>
  Object.keys(parameters).every((name) => name === 'groupId')

const inOrder = (names: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(names).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Finds resources that the target has stored without reporting them in a response. */
export interface LeftoverFinder {
  /**
   * Records the resources in a list before the first call that creates a resource there. Skips lists in which
   * other callers also create resources.
   */
  beforeChange(call: Pick<Call, 'cell'>, parameters: Readonly<Record<string, string>>): Promise<void>
  /** Records the unreported resources, so that the cleanup removes them. */
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
 * Creates a finder for resources that the target has stored without reporting them. For example, a target may store a
 * resource twice. A resource with the run's mark belongs to the run, unless the target file names the resource. In that
 * case, the mark shows that a change wasn't restored. A resource that can't have a mark belongs to the run if it's new
 * and only this run creates resources in the list.
 */
export const createLeftoverFinder = ({
  target,
  journal,
  runTag,
  request,
  cellOf,
}: Options): LeftoverFinder => {
  const listedBefore = new Map<string, Promise<void>>()

  // Returns the resources in a list, or `undefined` if the kit can't read all of them.
  const listed = async ({ list, parameters }: ResourceList): Promise<Json[] | undefined> => {
    const { maximum } = limits.itemsPerPage
    // Lists without paging reject the paging parameters.
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

  // Records the run's resources in a list, unless the list can't be read.
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
      // If there are several parameters, the last one identifies the resource.
      // Many resources can have the same values for the other parameters.
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
