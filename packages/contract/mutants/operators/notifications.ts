/**
 * These mutants introduce bugs into notifications. Because checks read notifications from the control interface's
 * outbox, a second proxy runs in front of the control interface.
 */
import type { RequirementId } from '@svc-admin/types'
import { isObject, type Json, listAt, parseJson } from '../../src/document/json.ts'
import type { Cell } from '../../src/model/api.ts'
import { mapJson } from '../mutant.ts'
import type { Interference, ProxiedRequest, Response } from '../proxy.ts'

/** A bug in how the server sends notifications, which is visible in the outbox. */
export interface OutboxMutant {
  readonly id: string
  readonly cell: Cell
  readonly hints: readonly RequirementId[]
  readonly make: () => Interference
}

type Notices = readonly Json[]

const isOutbox = ({ path }: ProxiedRequest): boolean => path.split('?')[0]?.endsWith('/outbox') ?? false

const onOutbox = (change: (notices: Notices, reads: number) => Notices) => (): Interference => {
  let reads = 0
  return async (request, forward): Promise<Response> => {
    const response = await forward(request)
    if (!isOutbox(request)) return response
    reads += 1
    return mapJson(response, (body) => ({ notifications: change(listAt(body, 'notifications'), reads) }))
  }
}

const chatty = (): Interference => {
  let [alertId, extra] = ['', 0]
  return async (request, forward) => {
    if (request.path.endsWith('/events')) {
      const response = await forward(request)
      const [id] = listAt(parseJson(response.body), 'alerts')
      if (typeof id === 'string') alertId = id
      return response
    }
    const response = await forward(request)
    if (!isOutbox(request)) return response
    extra += 1
    const ids = listAt(parseJson(response.body), 'notifications').flatMap((one) =>
      isObject(one) ? [one.alertId ?? ''] : [],
    )
    const made = [...new Set([...ids, alertId])].flatMap((id) =>
      Array.from({ length: extra }, () => ({ alertId: id })),
    )
    return mapJson(response, (body) => ({ notifications: [...listAt(body, 'notifications'), ...made] }))
  }
}

const breaks: readonly { what: string; operation: string; hint: RequirementId; make: () => Interference }[] =
  [
    {
      what: 'nothing goes out',
      operation: 'getAlert',
      hint: 'alert.notifies-targets',
      make: onOutbox(() => []),
    },
    {
      what: 'nothing goes out',
      operation: 'listAlerts',
      hint: 'alert.notifies-targets',
      make: onOutbox(() => []),
    },
    {
      what: 'goes on when acknowledged',
      operation: 'getAlert',
      hint: 'alert.notifies-targets',
      make: chatty,
    },
    {
      what: 'goes on when acknowledged',
      operation: 'listAlerts',
      hint: 'alert.notifies-targets',
      make: chatty,
    },
    {
      what: 'goes on when acknowledged',
      operation: 'acknowledgeAlert',
      hint: 'acknowledgeAlert.stops-notifications',
      make: chatty,
    },
    {
      what: 'never comes back',
      operation: 'acknowledgeAlert',
      hint: 'acknowledgeAlert.stops-notifications',
      make: onOutbox(() => []),
    },
    ...(['getAlert', 'listAlerts'] as const).map((operation) => ({
      what: 'own severity',
      operation,
      hint: 'alert.severity-override' as const,
      make: onOutbox((notices) => notices.map((one) => (isObject(one) ? { ...one, severity: 'INFO' } : one))),
    })),
  ]

export const outboxMutants = (cells: readonly Cell[]): OutboxMutant[] =>
  cells.flatMap((cell) =>
    breaks
      .filter(({ operation }) => operation === cell.operation.id)
      .map(({ what, hint, make }) => ({
        id: `notifications@${cell.key}#${what}`,
        cell,
        hints: [hint],
        make,
      })),
  )
