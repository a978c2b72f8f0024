import { type Json, jsonBody } from '../document/json.ts'
import type { Cell } from '../engine/api.ts'
import type { Call } from '../engine/call.ts'
import type { RequirementId } from '../engine/requirement.ts'
import type { Strength } from '../engine/verdict.ts'
import { type Exchange, headerValue } from '../http/exchange.ts'
import type { Secrets } from '../http/secrets.ts'
import { type Opened, openEnvelope } from './envelope.ts'

/** An exchange with everything that a judge asks of it. */
export interface Seen {
  readonly cell: Cell
  readonly call: Call
  readonly exchange: Exchange
  readonly status: number
  /** Status that the answer tells of: the one inside the envelope, where there is one. */
  readonly toldStatus: number
  readonly contentType: string | undefined
  /** Body as JSON, out of its envelope; `undefined` when it is no JSON or empty. */
  readonly body: Json | undefined
  readonly enveloped: Opened | undefined
  readonly secrets: Secrets
}

/** What a judge says: kept, broken (how), or nothing to look at. */
export type Opinion =
  | 'kept'
  | 'nothing'
  | { readonly expected: string; readonly actual: string; readonly strength?: Strength }

/** A rule that every exchange has to keep, whatever it was made for. */
export interface Judge {
  readonly requirement: RequirementId
  judge(seen: Seen): Opinion
}

export const isError = ({ toldStatus }: Seen): boolean => toldStatus >= 400

/** Whether the answer is one of the API itself: the token endpoint has errors of its own. */
export const isApiResponse = ({ cell }: Pick<Seen, 'cell'>): boolean => cell.operation.security === 'api'

const asksForEnvelope = (call: Call): boolean =>
  call.cell.operation.envelope && call.query.some(([name, value]) => name === 'envelope' && value === 'true')

/** Looks at an exchange once for every judge. */
export const see = (call: Call, exchange: Exchange, secrets: Secrets): Seen => {
  const { status, headers, body: text } = exchange.response
  const json = text === '' ? undefined : jsonBody(exchange.response)
  const enveloped = asksForEnvelope(call) ? openEnvelope(call.cell, json) : undefined
  return {
    cell: call.cell,
    call,
    exchange,
    status,
    toldStatus: enveloped?.status ?? status,
    contentType: headerValue(headers, 'Content-Type'),
    body: enveloped ? enveloped.content : json,
    enveloped,
    secrets,
  }
}
