import type { Rules } from '../check/rule.ts'
import type { Api } from '../model/api.ts'
import { joinNames, unknownName } from '../model/nearest.ts'
import { requirements } from '../model/requirement.ts'
import { type Selection, selectsRequirement } from '../model/selection.ts'
import { Misconfiguration } from '../model/signals.ts'
import { makePlan, type Plan } from './plan.ts'

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort()

/**
 * @throws Misconfiguration for an unknown name. An unknown name selects nothing, so the run would pass without any
 *   tests.
 */
const expectNames = (what: string, typed: readonly string[] = [], names: readonly string[]): void => {
  const unknown = typed.find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new Misconfiguration(unknownName(what, unknown, names, `known names are ${joinNames(names, 'and')}`))
}

const expectRequirements = (typed: readonly string[] = []): void => {
  const ids = [...requirements().keys()]
  const unknown = typed.find((start) => !ids.some((id) => id.startsWith(start)))
  if (unknown === undefined) return
  const ways = 'use an ID such as auth.digest-accepted, or a prefix such as auth.'
  const starts = distinct(ids.map((id) => `${id.split('.')[0]}.`))
  throw new Misconfiguration(unknownName('requirement', unknown, [...starts, ...ids], ways))
}

/**
 * Checks that all names in a selection exist.
 *
 * @throws Misconfiguration for an unknown name, with suggestions.
 */
export const expectKnown = ({ cells, versions }: Api, selection: Selection): void => {
  expectNames('area', selection.areas, distinct(cells.map(({ operation }) => operation.area)))
  expectNames('operation', selection.operations, distinct(cells.map(({ operation }) => operation.id)))
  expectNames(
    'version',
    selection.versions,
    versions.map(({ id }) => id),
  )
  expectRequirements(selection.requirements)
}

export const describeSelection = ({
  areas,
  operations,
  versions,
  requirements: ids,
  shard,
  readOnly,
  brief,
  smoke,
  inputs,
}: Selection): string =>
  [
    ...(areas ?? []).map((name) => `area ${name}`),
    ...(operations ?? []).map((name) => `operation ${name}`),
    ...(versions ?? []).map((name) => `version ${name}`),
    ...(ids ?? []).map((name) => `requirement ${name}`),
    ...(shard ? [`shard ${shard.index}/${shard.of}`] : []),
    ...(readOnly ? ['read-only checks'] : []),
    ...(brief ? ['one check per requirement and operation'] : []),
    ...(smoke ? ['a smoke test'] : []),
    ...(inputs === undefined ? [] : [`${inputs} generated inputs`]),
  ].join(', ') || 'everything'

/**
 * Creates the plan for a selection.
 *
 * @throws Misconfiguration if the plan is empty, because a run without checks would pass.
 */
export const planOf = (api: Api, tables: readonly Rules[], selection: Selection): Plan => {
  expectKnown(api, selection)
  const plan = makePlan(api, tables, selection)
  const { shard: _, ...whole } = selection
  // A shard may be empty, but the whole selection must not be.
  if (plan.cases.length > 0 || makePlan(api, tables, whole).cases.length > 0) return plan
  const ruled = tables.flatMap((table) => Object.keys(table)).some((id) => selectsRequirement(selection, id))
  const why = ruled
    ? 'no check matches all of these filters'
    : 'this requirement has no checks of its own; run other checks, which test it with their requests, and see the report'
  throw new Misconfiguration(`no check matches ${describeSelection(selection)}: ${why}`)
}
