import { operations, versions } from '@svc-admin/types'
import { usesSharedState } from '../given/copies.ts'
import type { Cell } from '../model/api.ts'
import type { RequirementId } from '../model/requirement.ts'
import type { Trial } from './trial.ts'

/**
 * When a check runs. `read` checks run first, in parallel. They are followed by `refusal` checks, whose requests must
 * be rejected, but would change something if they were accepted. Then come `write` checks, which change their own
 * resources. Finally, `alone` checks run one at a time, because they change shared state, such as the clock, conditions
 * or the number of token requests.
 */
export const phases = ['read', 'refusal', 'write', 'alone'] as const
export type Phase = (typeof phases)[number]

export type Check = (trial: Trial) => Promise<void>

/** An input or situation to test in a cell, such as a parameter value. */
export interface Variant {
  readonly label: string
  readonly check: Check
}

/** A requirement with the checks that test it, and the cells in which they run. */
export interface Rule {
  /** Whether the rule uses generated inputs. The run's settings determine their number. */
  readonly generates?: boolean
  /** Returns `true` if the rule applies to the cell. Otherwise, returns the reason why it doesn't. */
  at(cell: Cell): true | string
  phase(cell: Cell): Phase
  /** @param limit The number of variants that are needed. Calculating the others may take time. */
  variants(cell: Cell, limit?: number): readonly Variant[]
}

/** Rules, keyed by requirement ID. */
export type Rules = { readonly [Id in RequirementId]?: Rule | readonly Rule[] }

/** Every rule file exports such a table. An unknown requirement ID is a compile error. */
export const rules = (table: Rules): Rules => table

export interface RuleOptions {
  readonly at?: (cell: Cell) => true | string
  /** `read` is also used for requests that must be rejected, even if they would otherwise change something. */
  readonly phase?: Phase
  /** Distinguishes rules for the same requirement. */
  readonly label?: string
}

/** Token requests count toward a limit, so these checks run one at a time. */
const defaultPhase = (cell: Cell): Phase => {
  if (cell.operation.security === 'client-credentials' || usesSharedState(cell)) return 'alone'
  return onRead(cell) === true ? 'read' : 'write'
}

const placement = ({ at, phase }: RuleOptions): Pick<Rule, 'at' | 'phase'> => ({
  at: at ?? (() => true),
  phase: (cell) => {
    if (phase === 'alone' || cell.operation.security !== 'api') return 'alone'
    if (phase === 'read') return onRead(cell) === true ? 'read' : 'refusal'
    return phase ?? defaultPhase(cell)
  },
})

/** Creates a rule with one check per cell. */
export const always = (check: Check, options: RuleOptions = {}): Rule => ({
  ...placement(options),
  variants: () => [{ label: options.label ?? '', check }],
})

const firstOf = <T>(values: Iterable<T>, limit = Number.POSITIVE_INFINITY): T[] => {
  const first: T[] = []
  for (const value of values) if (first.push(value) >= limit) break
  return first
}

/** Creates a rule with several checks per cell. */
export const forEach = <T>(
  values: (cell: Cell) => Iterable<T>,
  label: (value: T) => string,
  check: (trial: Trial, value: T) => Promise<void>,
  options: RuleOptions = {},
): Rule => ({
  ...placement(options),
  variants: (cell, limit) =>
    firstOf(values(cell), limit).map((value) => ({
      label: label(value),
      check: (trial) => check(trial, value),
    })),
})

/**
 * Creates a rule that uses its own resources, regardless of the operation's method. It runs in the `write` phase, so
 * that its resources don't disturb checks that count resources.
 */
export const ownResourceRule = (check: Check, options: RuleOptions = {}): Rule =>
  always(check, { phase: 'write', ...options })

const maxAttempts = 3

/** If the target asked the kit to wait, runs the check again, because the check assumes that little time passes. */
const retryAfterWaits =
  (check: Check): Check =>
  async (trial) => {
    const { session } = trial.context
    for (let tries = 1; ; tries += 1) {
      const before = session.waits()
      try {
        return await check(trial)
      } catch (error) {
        if (tries === maxAttempts || session.waits() === before) throw error
      }
    }
  }

/** Creates a rule that advances the clock, or that fails if time passes during the check. */
export const timed = (check: Check, options: RuleOptions = {}): Rule =>
  always(retryAfterWaits(check), { phase: 'alone', ...options })

/** Selects API operations, but not the token endpoint. */
export const onApi = ({ operation }: Cell): true | string =>
  operation.security === 'api' || 'not an operation of the API'

export const onV2 = (cell: Cell): true | string =>
  onApi(cell) === true ? cell.version.generation === 'v2' || 'v2 only' : onApi(cell)

export const onV1 = (cell: Cell): true | string =>
  onApi(cell) === true ? cell.version.generation === 'v1.0' || 'v1.0 only' : onApi(cell)

/** Selects operations in a project or organization, because these have roles. */
export const inScope = ({ operation }: Cell): true | string =>
  operation.pathParameters.some((name) => name === 'groupId' || name === 'orgId') ||
  'neither in a project nor in an organization'

export const onRead = ({ operation }: Cell): true | string =>
  operation.method === 'GET' || 'the operation changes something'

export const onChange = ({ operation }: Cell): true | string =>
  operation.method !== 'GET' || 'the operation changes nothing'

export const onCreate = ({ operation }: Cell): true | string =>
  operation.method === 'POST' || 'the operation creates nothing'

export const withContent = ({ row }: Cell): true | string => row.hasContent || 'the response has no body'

export const withBody = (cell: Cell): true | string => cell.row.hasBody || 'no request body'

export const onPaged = ({ operation }: Cell): true | string => operation.paged || 'not paged'

/** Whether the literal segments of this path match another path's parameters. */
const isPathOfAnother = ({ operation }: Cell): boolean =>
  Object.values(operations).some(
    ({ path }) =>
      path !== operation.path && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(operation.path),
  )

/** Selects operations that exist in only one generation, at a path that the other generation doesn't use. */
export const onOneGeneration = (cell: Cell): true | string => {
  if (onApi(cell) !== true) return onApi(cell)
  const { generation } = cell.version
  const here = (id: string): boolean =>
    versions.find((version) => version.id === id)?.generation === generation
  if (!Object.keys(cell.operation.versions).every(here)) return 'the operation is in both generations'
  return !isPathOfAnother(cell) || 'a different operation uses the same path'
}

/** Combines conditions. A cell must meet all of them. */
export const both =
  (...conditions: readonly ((cell: Cell) => true | string)[]) =>
  (cell: Cell): true | string => {
    for (const condition of conditions) {
      const response = condition(cell)
      if (response !== true) return response
    }
    return true
  }
