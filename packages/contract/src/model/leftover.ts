import type { OperationId } from '@svc-admin/types'

/** The call that deletes a resource created by a run. */
export interface Removal {
  readonly operation: OperationId
  readonly parameters: Readonly<Record<string, string>>
}

/** A resource that couldn't be removed or a setting that couldn't be restored, with the reason. */
export interface Leftover {
  readonly operation: OperationId | 'unseed' | 'setClock' | 'raiseEvent'
  readonly parameters: Readonly<Record<string, string>>
  readonly reason: string
}

/** Describes a leftover: the operation that should have removed or restored it, and the reason for the failure. */
export const describeLeftover = ({ operation, parameters, reason }: Leftover): string =>
  `${[operation, ...Object.values(parameters)].join(' ')}: ${reason}`
