import type { Check, Phase, Rule, Rules } from '../check/rule.ts'
import type { Api, Cell } from '../model/api.ts'
import { hashOf } from '../model/random.ts'
import { outsideOf, requirementOf } from '../model/requirement.ts'
import { resultId } from '../model/result.ts'
import { inputsOf, type Selection, selectsCell, selectsRequirement } from '../model/selection.ts'

/** A check that is ready to run. */
export interface Case {
  readonly id: string
  readonly requirement: string
  readonly cell: Cell
  readonly variant: string
  readonly phase: Phase
  readonly check: Check
}

/** An operation version to which a requirement doesn't apply. */
export interface Outside {
  readonly id: string
  readonly requirement: string
  readonly cell: Cell
  readonly reason: string
}

export interface Plan {
  readonly cases: readonly Case[]
  readonly outside: readonly Outside[]
}

/** Whether to plan only one variant per rule and only one version per operation. */
const isShort = ({ brief, smoke }: Selection): boolean => brief === true || smoke === true

const onlyReads = ({ phase, cell }: Case): boolean => {
  const { method, security } = cell.operation
  const changes = method !== 'GET' && (security === 'api' || phase === 'alone')
  return phase !== 'write' && !changes
}

/** A case's shard depends only on its ID, so adding or removing cases doesn't move other cases to different shards. */
const isInShard = ({ shard }: Selection, { id }: Case): boolean =>
  !shard || hashOf(id) % shard.of === shard.index - 1

const casesOf = (requirement: string, rule: Rule, cell: Cell, selection: Selection): Case[] => {
  const limit = isShort(selection) ? 1 : undefined
  const variants = rule.variants(cell, limit).slice(0, limit)
  return variants.map(({ label, check }) => ({
    id: resultId(requirement, cell.key, label),
    requirement,
    cell,
    variant: label,
    phase: rule.phase(cell),
    check,
  }))
}

const rulesOf = (entry: Rule | readonly Rule[] | undefined, selection: Selection): readonly Rule[] => {
  if (entry === undefined) return []
  const rules: readonly Rule[] = Array.isArray(entry) ? entry : [entry as Rule]
  return inputsOf(selection) > 0 ? rules : rules.filter(({ generates }) => !generates)
}

/**
 * Returns the reason why no rule for the requirement applies to the operation version, or `undefined` if a rule
 * applies.
 */
const reasonOutside = (requirement: string, entries: readonly Rule[], cell: Cell): string | undefined => {
  const outside = outsideOf(requirementOf(requirement), cell)
  if (outside !== undefined) return outside
  const responses = entries.map((rule) => rule.at(cell))
  const refusal = responses.find((response) => response !== true)
  return responses.includes(true) ? undefined : (refusal ?? 'no rule')
}

/** Expects the ID to be unique, because cases with the same ID would overwrite each other's results. */
const uniqueId = (cases: ReadonlyMap<string, Case>, id: string): string => {
  if (cases.has(id)) throw new TypeError(`two cases have the ID ${id}`)
  return id
}

/** Returns the requirement's cases for an operation version, or the reason why there are no cases. */
const casesOrReason = (
  requirement: string,
  entries: readonly Rule[],
  cell: Cell,
  selection: Selection,
): Case[] | string => {
  const reason = reasonOutside(requirement, entries, cell)
  if (reason !== undefined) return reason
  const here = entries.filter((rule) => rule.at(cell) === true)
  const cases = here.flatMap((rule) => casesOf(requirement, rule, cell, selection))
  return cases.length > 0 ? cases : 'nothing to test'
}

/** Returns the selected operation versions. A short run tests only the newest version of each operation. */
const cellsOf = ({ cells }: Api, selection: Selection): Cell[] => {
  const selected = cells.filter((cell) => selectsCell(selection, cell))
  const isNewest = (cell: Cell): boolean =>
    selected.filter(({ operation }) => operation.id === cell.operation.id).at(-1) === cell
  return isShort(selection) ? selected.filter(isNewest) : selected
}

const cellHashes = new WeakMap<Cell, number>()

const hashOfCell = (cell: Cell): number => {
  const hash = cellHashes.get(cell) ?? hashOf(cell.key)
  cellHashes.set(cell, hash)
  return hash
}

/**
 * Shuffles the operation versions differently for each requirement, so that a smoke test covers many operations.
 * Because the order depends on hashes, adding or removing operation versions doesn't change which one comes first.
 */
const shuffled = (requirement: string, cells: readonly Cell[]): Cell[] => {
  const own = hashOf(requirement)
  return cells
    .map((cell) => ({ cell, place: Math.imul(hashOfCell(cell) ^ own, 0x9e3779b1) }))
    .sort((one, other) => one.place - other.place)
    .map(({ cell }) => cell)
}

/** Applies a requirement to the operation versions. A smoke test needs only one case per requirement. */
const applyRequirement = (
  requirement: string,
  entries: readonly Rule[],
  cells: readonly Cell[],
  selection: Selection,
): Plan => {
  const [cases, outside]: [Case[], Outside[]] = [[], []]
  const { smoke, readOnly } = selection
  for (const cell of smoke ? shuffled(requirement, cells) : cells) {
    const made = casesOrReason(requirement, entries, cell, selection)
    if (typeof made === 'string')
      outside.push({ id: resultId(requirement, cell.key, ''), requirement, cell, reason: made })
    else cases.push(...(readOnly ? made.filter(onlyReads) : made))
    // In a smoke test, the first case is enough.
    if (smoke && cases.length > 0) return { cases: cases.slice(0, 1), outside: [] }
  }
  return { cases, outside }
}

/**
 * Applies the rules to the operation versions. For each requirement and operation version, the plan contains cases or
 * the reason why there are no cases.
 */
export const makePlan = (api: Api, tables: readonly Rules[], selection: Selection = {}): Plan => {
  const cases = new Map<string, Case>()
  const outside: Outside[] = []
  const cells = cellsOf(api, selection)
  for (const [requirement, entry] of tables.flatMap((table) => Object.entries(table))) {
    if (!selectsRequirement(selection, requirement)) continue
    const made = applyRequirement(requirement, rulesOf(entry, selection), cells, selection)
    for (const one of made.cases) cases.set(uniqueId(cases, one.id), one)
    outside.push(...made.outside)
  }
  const sorted = [...cases.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  return { cases: sorted.filter((one) => isInShard(selection, one)), outside }
}
