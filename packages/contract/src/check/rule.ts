import { operations, versions } from '@svc-admin/types'
import { usesSharedState } from '../given/copies.ts'
import type { Cell } from '../model/api.ts'
import type { RequirementId } from '../model/requirement.ts'
import type { Trial } from './trial.ts'

/**
 * The phases of a run, in order. `read` checks come first and run in parallel. `refusal` checks send requests that the
 * target must reject, but that would change something if the target accepted them. `write` checks change their own
 * resources. Finally, `alone` checks run one at a time, because they change shared state, such as the clock, conditions
 * or the number of token requests.
 */
export const phases = ['read', 'refusal', 'write', 'alone'] as const
export type Phase = (typeof phases)[number]

export type Check = (trial: Trial) => Promise<void>

/** One of several tests of the same operation version, such as a test of one parameter value. */
export interface Variant {
  readonly label: string
  readonly check: Check
}

/** A requirement's checks, and the operation versions to which they apply. */
export interface Rule {
  /** Whether the rule uses generated inputs. The run's settings determine the number of inputs. */
  readonly generates?: boolean
  /**
   * Returns `true` if the rule applies to the operation version. Otherwise, returns the reason why the rule doesn't
   * apply.
   */
  at(cell: Cell): true | string
  phase(cell: Cell): Phase
  /** @param limit The number of variants that the caller needs. Calculating more variants may take time. */
  variants(cell: Cell, limit?: number): readonly Variant[]
}

/** Rules, keyed by requirement ID. */
export type Rules = { readonly [Id in RequirementId]?: Rule | readonly Rule[] }

/** Type-checks a rule file's table, so that an unknown requirement ID is a compile error. */
export const rules = (table: Rules): Rules => table

export interface RuleOptions {
  readonly at?: (cell: Cell) => true | string
  /** Also use `read` for requests that the target must reject, even if accepting them would change something. */
  readonly phase?: Phase
  /** Distinguishes several rules for the same requirement. */
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

/** Creates a rule with one check per operation version. */
export const always = (check: Check, options: RuleOptions = {}): Rule => ({
  ...placement(options),
  variants: () => [{ label: options.label ?? '', check }],
})

const firstOf = <T>(values: Iterable<T>, limit = Number.POSITIVE_INFINITY): T[] => {
  const first: T[] = []
  for (const value of values) if (first.push(value) >= limit) break
  return first
}

/** Creates a rule with several checks per operation version. */
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
 * Defines a rule that creates its own resources. Regardless of the operation's method, the rule runs in the `write`
 * phase, because checks in the `read` phase may count resources.
 */
export const ownResourceRule = (check: Check, options: RuleOptions = {}): Rule =>
  always(check, { phase: 'write', ...options })

const maxAttempts = 3

/** Runs a failed check again if the target asked the kit to wait, because the check assumes that little time passes. */
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

/** Creates a rule for a check that advances the clock, or that fails if too much time passes. */
export const timed = (check: Check, options: RuleOptions = {}): Rule =>
  always(retryAfterWaits(check), { phase: 'alone', ...options })

/** Creates a timed rule with several checks per operation version. */
export const timedForEach = <T>(
  values: (cell: Cell) => Iterable<T>,
  label: (value: T) => string,
  check: (trial: Trial, value: T) => Promise<void>,
  options: RuleOptions = {},
): Rule =>
  forEach(values, label, (trial, value) => retryAfterWaits((one) => check(one, value))(trial), {
    phase: 'alone',
    ...options,
  })

/** Selects all operations except the token endpoint. */
export const onApi = ({ operation }: Cell): true | string =>
  operation.security === 'api' || 'not an operation of the API'

export const onV2 = (cell: Cell): true | string =>
  onApi(cell) === true ? cell.version.generation === 'v2' || 'v2 only' : onApi(cell)

export const onV1 = (cell: Cell): true | string =>
  onApi(cell) === true ? cell.version.generation === 'v1.0' || 'v1.0 only' : onApi(cell)

/**
 * Selects operations in a project or an organization. Operations outside projects and organizations don't require
 * roles.
 */
export const inScope = ({ operation }: Cell): true | string =>
  operation.pathParameters.some((name) => name === 'groupId' || name === 'orgId') ||
  'the operation is neither in a project nor in an organization'

export const onRead = ({ operation }: Cell): true | string =>
  operation.method === 'GET' || 'the operation changes data'

export const onChange = ({ operation }: Cell): true | string =>
  operation.method !== 'GET' || 'the operation changes no data'

export const onCreate = ({ operation }: Cell): true | string =>
  operation.method === 'POST' || 'the operation creates no resource'

export const withContent = ({ row }: Cell): true | string => row.hasContent || 'the response has no body'

export const withBody = (cell: Cell): true | string => cell.row.hasBody || 'the operation has no request body'

export const onPaged = ({ operation }: Cell): true | string =>
  operation.paged || 'the operation is not paginated'

/** Returns whether another path has a parameter where this path has a literal segment, so that a URL matches both. */
const isPathOfAnother = ({ operation }: Cell): boolean =>
  Object.values(operations).some(
    ({ path }) =>
      path !== operation.path && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(operation.path),
  )

/**
 * Selects operations that exist in only one generation. Excludes operations whose path also matches the path of a
 * different operation.
 */
export const onOneGeneration = (cell: Cell): true | string => {
  if (onApi(cell) !== true) return onApi(cell)
  const { generation } = cell.version
  const here = (id: string): boolean =>
    versions.find((version) => version.id === id)?.generation === generation
  if (!Object.keys(cell.operation.versions).every(here)) return 'the operation is in both generations'
  return !isPathOfAnother(cell) || 'a different operation uses the same path'
}

export const both =
  (...conditions: readonly ((cell: Cell) => true | string)[]) =>
  (cell: Cell): true | string => {
    for (const condition of conditions) {
      const response = condition(cell)
      if (response !== true) return response
    }
    return true
  }
