import { type Json, jsonBody } from '../document/json.ts'
import type { Strength } from '../document/strength.ts'
import { type Exchange, headerValue } from '../http/exchange.ts'
import type { Secrets } from '../http/secrets.ts'
import type { Cell } from '../model/api.ts'
import type { Call } from '../model/call.ts'
import type { Difference } from '../model/difference.ts'
import type { RequirementId } from '../model/requirement.ts'
import { type Opened, openEnvelope } from './envelope.ts'

/** An exchange, with everything that judges need to know. */
export interface JudgedExchange {
  readonly cell: Cell
  readonly call: Call
  readonly exchange: Exchange
  readonly status: number
  /** The status in the envelope. Without an envelope, the HTTP status. */
  readonly effectiveStatus: number
  readonly contentType: string | undefined
  /**
   * The JSON body without an envelope. If the body is empty or isn't JSON, or if the envelope's content can't be found,
   * this is `undefined`.
   */
  readonly body: Json | undefined
  readonly enveloped: Opened | undefined
  readonly secrets: Secrets
}

/** A judge's assessment of an exchange. An object describes a violation. */
export type Opinion =
  | 'passed'
  | 'not applicable'
  | {
      readonly expected: string
      readonly actual: string
      readonly strength?: Strength
      readonly difference?: Difference
    }

/** A judge tests one requirement in every exchange, regardless of which check sent the request. */
export interface Judge {
  readonly requirement: RequirementId
  judge(judged: JudgedExchange): Opinion
}

export const isError = ({ effectiveStatus }: JudgedExchange): boolean => effectiveStatus >= 400

/** Returns whether the response is from the API and not from the token endpoint, which has its own error format. */
export const isApiResponse = ({ cell }: Pick<JudgedExchange, 'cell'>): boolean =>
  cell.operation.security === 'api'

/** Returns whether the response may be an envelope. A server may also treat other values than `true` as true. */
export const asksForEnvelope = (call: Call): boolean =>
  call.cell.operation.envelope && call.query.some(([name, value]) => name === 'envelope' && value !== 'false')

export const judgedExchangeOf = (call: Call, exchange: Exchange, secrets: Secrets): JudgedExchange => {
  const { status, headers, body: text } = exchange.response
  const json = text === '' ? undefined : jsonBody(exchange.response)
  const enveloped = asksForEnvelope(call) ? openEnvelope(call.cell, json) : undefined
  return {
    cell: call.cell,
    call,
    exchange,
    status,
    effectiveStatus: enveloped?.status ?? status,
    contentType: headerValue(headers, 'Content-Type'),
    body: enveloped ? enveloped.content : json,
    enveloped,
    secrets,
  }
}
