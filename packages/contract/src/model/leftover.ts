import type { OperationId } from '@svc-admin/types'

/** The call that removes a resource that a run created. */
export interface Removal {
  readonly operation: OperationId
  readonly parameters: Readonly<Record<string, string>>
}

/** A resource or setting that couldn't be removed or restored, and the reason. */
export interface Leftover {
  readonly operation: OperationId | 'unseed' | 'setClock' | 'raiseEvent'
  readonly parameters: Readonly<Record<string, string>>
  readonly reason: string
}

/** Describes a leftover: the operation that would remove or restore it, and why that failed. */
export const describeLeftover = ({ operation, parameters, reason }: Leftover): string =>
  `${[operation, ...Object.values(parameters)].join(' ')}: ${reason}`
