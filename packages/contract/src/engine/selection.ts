import type { Api } from './api.ts'
import { joinNames, unknownName } from './nearest.ts'
import { makePlan, type Plan, type Selection, selectsRequirement } from './plan.ts'
import { requirements } from './requirement.ts'
import type { Rules } from './rule.ts'
import { Misconfiguration } from './signals.ts'

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort()

/** @throws Misconfiguration for a name that nothing has: it would select nothing, and so be green. */
const expectNames = (what: string, typed: readonly string[] = [], names: readonly string[]): void => {
  const unknown = typed.find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new Misconfiguration(unknownName(what, unknown, names, `there are ${joinNames(names, 'and')}`))
}

const expectRequirements = (typed: readonly string[] = []): void => {
  const ids = [...requirements().keys()]
  const unknown = typed.find((start) => !ids.some((id) => id.startsWith(start)))
  if (unknown === undefined) return
  const ways = 'a requirement is called as in a report, auth.digest-accepted, or by its beginning, auth.'
  const starts = distinct(ids.map((id) => `${id.split('.')[0]}.`))
  throw new Misconfiguration(unknownName('requirement', unknown, [...starts, ...ids], ways))
}

/**
 * A selection in which every name is one of the API's.
 *
 * @throws Misconfiguration for any other, with those that may have been meant.
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

/** A selection in words. */
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
    ...(readOnly ? ['what only reads'] : []),
    ...(brief ? ['one check of each requirement and operation'] : []),
    ...(smoke ? ['a smoke test'] : []),
    ...(inputs === undefined ? [] : [`${inputs} generated inputs`]),
  ].join(', ') || 'everything'

/**
 * The plan of a selection.
 *
 * @throws Misconfiguration when there is nothing in it: a run of nothing would be green.
 */
export const planOf = (api: Api, tables: readonly Rules[], selection: Selection): Plan => {
  expectKnown(api, selection)
  const plan = makePlan(api, tables, selection)
  const { shard: _, ...whole } = selection
  // A shard may well be empty; the whole may not.
  if (plan.cases.length > 0 || makePlan(api, tables, whole).cases.length > 0) return plan
  const ruled = tables.flatMap((table) => Object.keys(table)).some((id) => selectsRequirement(selection, id))
  const why = ruled
    ? 'they have nothing in common'
    : 'it is judged in the exchanges of all other checks: run those, and look for it in the report'
  throw new Misconfiguration(`no check is left of ${describeSelection(selection)}: ${why}`)
}
