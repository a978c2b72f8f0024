import type { OperationId } from '@svc-admin/types'
import { anonymous } from '../src/http/authorization.ts'
import type { Exchange, Header } from '../src/http/exchange.ts'
import { createSecrets } from '../src/http/secrets.ts'
import { judges } from '../src/judges/index.ts'
import { type JudgedExchange, judgedExchangeOf } from '../src/judges/judge.ts'
import { loadApi } from '../src/model/api.ts'
import { buildCall, type CallChanges } from '../src/model/call.ts'

export const api = loadApi()
export const secrets = createSecrets(['top-secret-key'])

interface Given {
  readonly operation?: OperationId
  readonly version?: 'v1.0' | '2023-01-01' | '2024-05-30'
  readonly changes?: CallChanges
  readonly sent?: readonly Header[]
  readonly status: number
  readonly headers?: readonly Header[]
  readonly body?: string
}

/** Returns an exchange with everything that judges need to know. */
export const exchangeIn = ({
  operation = 'getAlert',
  version = '2023-01-01',
  changes = {},
  sent = [],
  status,
  headers = [],
  body = '',
}: Given): JudgedExchange => {
  const cell = api.cell(operation, version)
  if (cell === undefined) throw new TypeError('no such cell')
  const call = buildCall(cell, { parameters: {}, body: undefined, as: anonymous }, changes)
  const exchange: Exchange = {
    url: '',
    request: { method: 'GET', path: '/', headers: sent },
    response: { status, reason: '', headers, body },
    milliseconds: 0,
  }
  return judgedExchangeOf(call, exchange, secrets)
}

/** Returns for each judge that applies whether the exchange passed. */
export const judged = (given: Given) => {
  const seen = exchangeIn(given)
  const opinionOf = new Map<string, unknown>()
  for (const { requirement, judge } of judges) {
    const opinion = judge(seen)
    if (opinion !== 'not applicable' && opinionOf.get(requirement) !== 'broken')
      opinionOf.set(requirement, opinion === 'passed' ? 'passed' : 'broken')
  }
  return Object.fromEntries(opinionOf)
}

export const example = (operation: OperationId): string => {
  const cell = api.cell(operation, '2023-01-01')
  const content = cell?.definition.responses.get(200)?.node.content
  const [media] = Object.values(
    (content ?? {}) as Record<string, { examples: Record<string, { value: unknown }> }>,
  )
  return JSON.stringify(Object.values(media?.examples ?? {})[0]?.value)
}
