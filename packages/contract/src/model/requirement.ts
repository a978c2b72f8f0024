import { loadRequirements, outsideOfScope } from '@svc-admin/spec'
import { type RequirementId, versions } from '@svc-admin/types'
import type { Strength } from '../document/strength.ts'
import type { Cell } from './api.ts'

export type { RequirementId }

/** A sentence that describes what an implementation must do, with its strength and source. */
export interface Requirement {
  readonly id: string
  readonly area: string
  readonly strength: Strength
  readonly text: string
  readonly source: readonly string[]
  readonly generation?: string
  readonly since?: string
  readonly until?: string
  readonly operations?: readonly string[]
  readonly excluded?: string
}

let loaded: ReadonlyMap<string, Requirement> | undefined

/** Returns all requirements by ID. */
export const requirements = (): ReadonlyMap<string, Requirement> => {
  loaded ??= new Map(loadRequirements().map((row) => [row.id, row]))
  return loaded
}

/**
 * Returns the requirement with the given ID.
 *
 * @throws TypeError if there is no such requirement.
 */
export const requirementOf = (id: string): Requirement => {
  const row = requirements().get(id)
  if (row === undefined) throw new TypeError(`there is no requirement ${id}`)
  return row
}

let mainIds: ReadonlyMap<string, string> | undefined

/** Returns the main requirement of an operation: the first requirement whose ID starts with the operation's ID. */
export const mainRequirementOf = (operation: string): string | undefined => {
  mainIds ??= new Map([...requirements().keys()].reverse().map((id) => [id.slice(0, id.indexOf('.')), id]))
  return mainIds.get(operation)
}

/**
 * Returns the reason why a requirement doesn't apply to an operation version, or `undefined` if the requirement
 * applies.
 */
export const outsideOf = (requirement: Requirement, { operation, version }: Cell): string | undefined => {
  const { operations } = requirement
  if (operations && !operations.includes(operation.id)) return 'another operation'
  return outsideOfScope(requirement, version, versions)
}
