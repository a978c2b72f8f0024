import { operations, versions } from '@svc-admin/types'
import { usesWhatAllShare } from '../given/copies.ts'
import type { Cell } from './api.ts'
import type { RequirementId } from './requirement.ts'
import type { Trial } from './trial.ts'

/**
 * When a check runs. Those that only read run first, side by side; then those whose calls are to be refused, of
 * operations that change something: each of them has something to lose, which nobody may have counted meanwhile; then
 * those that change things of their own; then, one after the other, those that change what all of them see: the clock,
 * conditions, the count of token requests.
 */
export const phases = ['read', 'refusal', 'write', 'alone'] as const
export type Phase = (typeof phases)[number]

export type Check = (trial: Trial) => Promise<void>

/** One of the things to try at a cell, such as a parameter and a value for it. */
export interface Variant {
  readonly label: string
  readonly check: Check
}

/** A requirement with its quantifier: where it is tried, and how. */
export interface Rule {
  /** Whether its inputs are generated, so many as a run asks for. */
  readonly generates?: boolean
  /** `true` where it is tried; elsewhere the reason why it says nothing there. */
  at(cell: Cell): true | string
  phase(cell: Cell): Phase
  variants(cell: Cell): readonly Variant[]
}

/** Rules by the requirement that they test. */
export type Rules = { readonly [Id in RequirementId]?: Rule | readonly Rule[] }

/** What a file of rules exports; a requirement that does not exist does not compile. */
export const rules = (table: Rules): Rules => table

export interface RuleOptions {
  readonly at?: (cell: Cell) => true | string
  /** `read` also where the operation would change something, and is not let to. */
  readonly phase?: Phase
  /** Tells two rules of one requirement apart. */
  readonly label?: string
}

/** Whether a good call of the cell leaves everything as it was. */
const readsOnly = ({ operation }: Cell): boolean => operation.method === 'GET'

/** The token limit counts every request, so requests for tokens go one after the other. */
const defaultPhase = (cell: Cell): Phase => {
  if (cell.operation.security === 'client-credentials' || usesWhatAllShare(cell)) return 'alone'
  return readsOnly(cell) ? 'read' : 'write'
}

const place = ({ at, phase }: RuleOptions): Pick<Rule, 'at' | 'phase'> => ({
  at: at ?? (() => true),
  phase: (cell) => {
    if (phase === 'alone' || cell.operation.security !== 'api') return 'alone'
    if (phase === 'read') return readsOnly(cell) ? 'read' : 'refusal'
    return phase ?? defaultPhase(cell)
  },
})

/** A rule that is tried once in every cell. */
export const always = (check: Check, options: RuleOptions = {}): Rule => ({
  ...place(options),
  variants: () => [{ label: options.label ?? '', check }],
})

/** A rule that is tried with several things in every cell. */
export const forEach = <T>(
  things: (cell: Cell) => readonly T[],
  label: (thing: T) => string,
  check: (trial: Trial, thing: T) => Promise<void>,
  options: RuleOptions = {},
): Rule => ({
  ...place(options),
  variants: (cell) =>
    things(cell).map((thing) => ({ label: label(thing), check: (trial) => check(trial, thing) })),
})

/**
 * A rule about things of its own, whatever the method of the operation: what puts something in place stays out of the
 * way of those who count what there is.
 */
export const own = (check: Check, options: RuleOptions = {}): Rule =>
  always(check, { phase: 'write', ...options })

const mostTries = 3

/** While the target asked to be asked later, time passed that the check knows nothing of: then it is made again. */
const undisturbed =
  (check: Check): Check =>
  async (trial) => {
    const { session } = trial.world
    for (let tries = 1; ; tries += 1) {
      const before = session.waits()
      try {
        return await check(trial)
      } catch (error) {
        if (tries === mostTries || session.waits() === before) throw error
      }
    }
  }

/** A rule that lets time pass, or that time must not pass by. */
export const timed = (check: Check, options: RuleOptions = {}): Rule =>
  always(undisturbed(check), { phase: 'alone', ...options })

/** Operations of the API, as against the token endpoint. */
export const onApi = ({ operation }: Cell): true | string =>
  operation.security === 'api' || 'not an operation of the API'

export const onV2 = (cell: Cell): true | string =>
  onApi(cell) === true ? cell.version.generation === 'v2' || 'v2 only' : onApi(cell)

export const onV1 = (cell: Cell): true | string =>
  onApi(cell) === true ? cell.version.generation === 'v1.0' || 'v1.0 only' : onApi(cell)

/** Roles are held in projects and organizations. */
export const inScope = ({ operation }: Cell): true | string =>
  operation.pathParameters.some((name) => name === 'groupId' || name === 'orgId') ||
  'neither in a project nor in an organization'

export const withBody = (cell: Cell): true | string => cell.row.hasBody || 'no request body'

export const onPaged = ({ operation }: Cell): true | string => operation.paged || 'not paged'

/** A path without parameters at some place may be read as one that has a parameter there. */
const isPathOfAnother = ({ operation }: Cell): boolean =>
  Object.values(operations).some(
    ({ path }) =>
      path !== operation.path && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(operation.path),
  )

/** Operations that one generation has alone, at a path that is nothing else in the other. */
export const onOneGeneration = (cell: Cell): true | string => {
  if (onApi(cell) !== true) return onApi(cell)
  const { generation } = cell.version
  const here = (id: string): boolean =>
    versions.find((version) => version.id === id)?.generation === generation
  if (!Object.keys(cell.operation.versions).every(here)) return 'it is in both generations'
  return !isPathOfAnother(cell) || 'the path is also one of another operation'
}

/** Both conditions. */
export const both =
  (...conditions: readonly ((cell: Cell) => true | string)[]) =>
  (cell: Cell): true | string => {
    for (const condition of conditions) {
      const response = condition(cell)
      if (response !== true) return response
    }
    return true
  }
