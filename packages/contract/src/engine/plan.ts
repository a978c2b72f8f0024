import { versions as allVersions } from '@svc-admin/types'
import type { Api, Cell } from './api.ts'
import { defaults } from './defaults.ts'
import { hashOf } from './random.ts'
import { outsideOf, requirementOf } from './requirement.ts'
import { resultId } from './result.ts'
import type { Check, Phase, Rule, Rules } from './rule.ts'

/** One check that is ready to run. */
export interface Case {
  readonly id: string
  readonly requirement: string
  readonly cell: Cell
  readonly variant: string
  readonly phase: Phase
  readonly check: Check
}

/** A cell to which a requirement doesn't apply. */
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

/** Which cases to run. Absent fields select everything. */
export interface Selection {
  readonly areas?: readonly string[]
  readonly operations?: readonly string[]
  /** Ids of versions. Selects all operations in these versions' documents. */
  readonly versions?: readonly string[]
  /** Requirement ids or prefixes. */
  readonly requirements?: readonly string[]
  readonly shard?: { readonly index: number; readonly of: number }
  readonly readOnly?: boolean
  /** One variant of every rule, in the newest version of every operation. */
  readonly brief?: boolean
  /** One case per requirement, for a quick test that takes seconds. */
  readonly smoke?: boolean
  /** Number of inputs for checks with generated inputs. 0 skips these checks. */
  readonly inputs?: number
}

export const inputsOf = ({ inputs, smoke }: Selection): number => inputs ?? (smoke ? 1 : defaults.inputs)

/** Whether the plan has only one variant per rule and one version per operation. */
const isShort = ({ brief, smoke }: Selection): boolean => brief === true || smoke === true

/** Whether a list includes a value. An absent list includes everything. */
const isAmong = (list: readonly string[] | undefined, value: string): boolean => !list || list.includes(value)

/**
 * Whether a version's document contains the operation in the cell's version, which must be the newest that is not
 * later.
 */
const isIn = (document: string, { operation, version }: Cell): boolean => {
  // The token endpoint is the same in every document.
  if (operation.absolute) return true
  const known = allVersions.findIndex(({ id }) => id === document)
  const held = allVersions
    .slice(0, known + 1)
    .filter(({ id, generation }) => id in operation.versions && generation === allVersions[known]?.generation)
  return held.at(-1)?.id === version.id
}

/** Whether any of the selected documents contains the cell. An absent list selects everything. */
export const selectsVersion = (versions: Selection['versions'], cell: Cell): boolean =>
  !versions || versions.some((document) => isIn(document, cell))

export const selectsCell = ({ areas, operations, versions }: Selection, cell: Cell): boolean =>
  isAmong(areas, cell.operation.area) &&
  isAmong(operations, cell.operation.id) &&
  selectsVersion(versions, cell)

export const selectsRequirement = ({ requirements }: Selection, id: string): boolean =>
  !requirements || requirements.some((prefix) => id.startsWith(prefix))

const onlyReads = ({ phase, cell }: Case): boolean => {
  const { method, security } = cell.operation
  const changes = method !== 'GET' && (security === 'api' || phase === 'alone')
  return phase !== 'write' && !changes
}

/** The shard depends only on the case id, so that a case stays in its shard when others are added or removed. */
const isInShard = ({ shard }: Selection, { id }: Case): boolean =>
  !shard || hashOf(id) % shard.of === shard.index - 1

const casesOf = (requirement: string, rule: Rule, cell: Cell, selection: Selection): Case[] => {
  const variants = isShort(selection) ? rule.variants(cell).slice(0, 1) : rule.variants(cell)
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

/** Why no rule of a requirement applies to a cell. */
const reasonOutside = (requirement: string, entries: readonly Rule[], cell: Cell): string | undefined => {
  const outside = outsideOf(requirementOf(requirement), cell)
  if (outside !== undefined) return outside
  const responses = entries.map((rule) => rule.at(cell))
  const refusal = responses.find((response) => response !== true)
  return responses.includes(true) ? undefined : (refusal ?? 'no rule')
}

/** With the same id, one case would hide the other. */
const unused = (cases: ReadonlyMap<string, Case>, id: string): string => {
  if (cases.has(id)) throw new TypeError(`two cases have the id ${id}`)
  return id
}

/** The cases of a requirement in a cell, or the reason why there are none. */
const placed = (
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

/** The selected cells; for a short run, only the newest of each operation. */
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
 * Shuffles the cells by requirement, so that a smoke test covers many operations. Uses hashes so that the choice
 * stays the same when cells are added or removed.
 */
const shuffled = (requirement: string, cells: readonly Cell[]): Cell[] => {
  const own = hashOf(requirement)
  return cells
    .map((cell) => ({ cell, place: Math.imul(hashOfCell(cell) ^ own, 0x9e3779b1) }))
    .sort((one, other) => one.place - other.place)
    .map(({ cell }) => cell)
}

/** Applies one requirement to the cells; for a smoke test, until there is one case. */
const spread = (
  requirement: string,
  entries: readonly Rule[],
  cells: readonly Cell[],
  selection: Selection,
): Plan => {
  const [cases, outside]: [Case[], Outside[]] = [[], []]
  const { smoke, readOnly } = selection
  for (const cell of smoke ? shuffled(requirement, cells) : cells) {
    const made = placed(requirement, entries, cell, selection)
    if (typeof made === 'string')
      outside.push({ id: resultId(requirement, cell.key, ''), requirement, cell, reason: made })
    else cases.push(...(readOnly ? made.filter(onlyReads) : made))
    // A smoke test needs no further cells.
    if (smoke && cases.length > 0) return { cases: cases.slice(0, 1), outside: [] }
  }
  return { cases, outside }
}

/** Applies the rules to the cells. Each pair of requirement and cell yields cases or a reason why not. */
export const makePlan = (api: Api, tables: readonly Rules[], selection: Selection = {}): Plan => {
  const cases = new Map<string, Case>()
  const outside: Outside[] = []
  const cells = cellsOf(api, selection)
  for (const [requirement, entry] of tables.flatMap((table) => Object.entries(table))) {
    if (!selectsRequirement(selection, requirement)) continue
    const made = spread(requirement, rulesOf(entry, selection), cells, selection)
    for (const one of made.cases) cases.set(unused(cases, one.id), one)
    outside.push(...made.outside)
  }
  const sorted = [...cases.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  return { cases: sorted.filter((one) => isInShard(selection, one)), outside }
}
