import { bodyOf, controlOperations } from '../model/control-document.ts'

/** A request to the control interface of a sandbox, without which a sample fails on the demo organisation. */
export interface FirstRequest {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** Why nothing that the demo organisation has does without. */
  readonly reason: string
}

/** The operations of the control interface by those whose samples need them, with the reason. */
const needed: Readonly<Record<string, readonly [control: string, reason: string]>> = {
  disableCompliancePolicy: [
    'grantDeletable',
    'The policy of the demo organisation shows what one forbids, so that support has not let it be disabled.',
  ],
}

/** What comes before the sample of an operation, if anything does. */
export function firstRequestOf(operationId: string): FirstRequest | undefined {
  const [control, reason = ''] = needed[operationId] ?? []
  const found = controlOperations.find(({ operation }) => operation.operationId === control)
  if (!found) return undefined
  const { method, path, operation } = found
  return { operationId: operation.operationId, method, path, body: bodyOf(operation)?.example, reason }
}
