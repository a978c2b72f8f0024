import type { RequirementId } from '@svc-admin/types'
import { type Json, parseJson } from '../src/document/json.ts'
import { type Header, headerValue } from '../src/http/exchange.ts'
import type { Cell } from '../src/model/api.ts'
import type { Forward, Interference, ProxiedRequest, Response } from './proxy.ts'

/** The parts of the harness that a mutant can use. */
export interface Tools {
  /** Returns the request with credentials that allow every operation. */
  asOwner(request: ProxiedRequest): Promise<ProxiedRequest>
  /** Returns the defect in a request's credentials. */
  faultOf(request: ProxiedRequest): CredentialDefect
  /** Returns a documented body in the form in which the kit would send it, with the target's names and tag. */
  sent(body: Json): Json
  /**
   * Replaces an invalid request with a valid one, which has the parameters, query, headers and body of a valid call.
   */
  good(request: ProxiedRequest, cell: Cell): Promise<ProxiedRequest>
}

/** The error in a request's credentials. The proxy knows all secrets. */
export type CredentialDefect =
  | 'none'
  | 'missing'
  | 'other scheme'
  | 'bearer'
  | 'unknown key'
  | 'password'
  | 'method'
  | 'uri'
  | 'forged nonce'
  | 'repeated count'
  | 'fine'

/** A requirement that is broken in one place. */
export interface Mutant {
  /** `operator@operationId@version#what`. */
  readonly id: string
  readonly operator: string
  readonly cell: Cell
  /**
   * The requirements whose checks should detect the mutant. If they don't, all of the cell's requirements are tested.
   */
  readonly hints: readonly RequirementId[]
  /**
   * The requests that the mutant changes: for the cell, for the whole path, for the whole generation, or for the same
   * path in the other generation.
   */
  readonly reach: 'cell' | 'path' | 'generation' | 'other generation'
  /** Creates a new interference for each run. */
  readonly make: (tools: Tools) => Interference
}

/** A way to break requirements wherever it applies. */
export interface Operator {
  readonly name: string
  mutants(cells: readonly Cell[]): Mutant[]
}

export interface MutantInput {
  readonly what?: string
  readonly hints: readonly RequirementId[]
  readonly reach?: Mutant['reach']
  readonly make: Mutant['make']
}

/** An operator with mutants for each cell. */
export const perCell = (name: string, inputs: (cell: Cell) => readonly MutantInput[]): Operator => ({
  name,
  mutants: (cells) =>
    cells.flatMap((cell) =>
      inputs(cell).map(({ what, hints, reach = 'cell', make }) => ({
        id: `${name}@${cell.key}${what === undefined ? '' : `#${what}`}`,
        operator: name,
        cell,
        hints,
        reach,
        make,
      })),
    ),
})

/** Changes responses that meet a condition. */
export const onResponse =
  (
    concerns: (response: Response, request: ProxiedRequest) => boolean,
    change: (response: Response, request: ProxiedRequest) => Response,
  ) =>
  () =>
  async (request: ProxiedRequest, forward: Forward): Promise<Response> => {
    const response = await forward(request)
    return concerns(response, request) ? change(response, request) : response
  }

/**
 * If the response meets a condition, changes the request and sends it again, so that a request that should be rejected
 * succeeds.
 */
export const insteadOf =
  (
    concerns: (response: Response, request: ProxiedRequest, tools: Tools) => boolean,
    change: (request: ProxiedRequest, tools: Tools) => Promise<ProxiedRequest> | ProxiedRequest,
  ): Mutant['make'] =>
  (tools) =>
  async (request, forward) => {
    const response = await forward(request)
    return concerns(response, request, tools) ? forward(await change(request, tools)) : response
  }

export const isSuccess = ({ status }: Response): boolean => status >= 200 && status < 300

export const withStatus = (response: Response, status: number): Response => ({ ...response, status })

export const withHeader = (response: Response, name: string, value: string | undefined): Response => {
  const headers = response.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase())
  return {
    ...response,
    headers: value === undefined ? headers : [...headers, [name, value] satisfies Header],
  }
}

export const jsonOf = ({ body }: Response): Json | undefined => parseJson(body)

export const withJson = (response: Response, body: Json): Response => ({
  ...response,
  body: JSON.stringify(body),
})

/** Skips `pretty` responses. Their layout is specified, and other checks would notice a change to it. */
export const unlessPretty =
  (make: Mutant['make']): Mutant['make'] =>
  (tools) => {
    const how = make(tools)
    return (request, forward) =>
      request.path.includes('pretty=true') ? forward(request) : how(request, forward)
  }

/** Changes the body of a JSON response. */
export const mapJson = (response: Response, change: (body: Json) => Json): Response => {
  const body = jsonOf(response)
  return body === undefined ? response : withJson(response, change(body))
}

export const queryOf = ({ path }: ProxiedRequest): URLSearchParams => new URL(path, 'http://x').searchParams

/** Returns the request with a different query. */
export const withQuery = (
  request: ProxiedRequest,
  change: (query: URLSearchParams) => void,
): ProxiedRequest => {
  const [path = '', search = ''] = request.path.split('?')
  const query = new URLSearchParams(search)
  change(query)
  const text = query.toString()
  return { ...request, path: text === '' ? path : `${path}?${text}` }
}

export const requestHeader = (request: ProxiedRequest, name: string): string | undefined =>
  headerValue(request.headers, name)

export const withRequestHeader = (
  request: ProxiedRequest,
  name: string,
  value: string | undefined,
): ProxiedRequest => {
  const headers = request.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase())
  return { ...request, headers: value === undefined ? headers : [...headers, [name, value] satisfies Header] }
}

/** Returns an API error in the form in which a server would. */
export const errorResponse = (status: number, errorCode: string, reason: string): Response => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ error: status, errorCode, reason, detail: 'Made by a mutant.' }),
})
