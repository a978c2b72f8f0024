import { bodyOf, controlOperations } from '../model/control-document.ts'

/**
 * A request to the control interface that must be sent before a sample. Without this request, the sample would fail
 * with the demo organization.
 */
export interface FirstRequest {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** Why the sample would fail without this request. */
  readonly reason: string
}

/**
 * Operations whose samples require another request first. Each entry contains the control operation to call and the
 * reason.
 */
const needed: Readonly<Record<string, readonly [control: string, reason: string]>> = {
  disableCompliancePolicy: [
    'grantDeletable',
    'The demo organization has an active compliance policy, which you can disable only with approval from support.',
  ],
}

/** Returns the request that must be sent before an operation's sample, if there is one. */
export function firstRequestOf(operationId: string): FirstRequest | undefined {
  const [control, reason = ''] = needed[operationId] ?? []
  const found = controlOperations.find(({ operation }) => operation.operationId === control)
  if (!found) return undefined
  const { method, path, operation } = found
  return { operationId: operation.operationId, method, path, body: bodyOf(operation)?.example, reason }
}
