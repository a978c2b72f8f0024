import type { RequirementId } from '@svc-admin/types'
import { type Json, parseJson } from '../src/document/json.ts'
import { type Header, headerValue } from '../src/http/exchange.ts'
import type { Cell } from '../src/model/api.ts'
import type { Forward, Interference, ProxiedRequest, Response } from './proxy.ts'

/** The harness functions that a mutant can use. */
export interface Tools {
  /** Signs the request as the organization owner, who can use every operation. */
  asOwner(request: ProxiedRequest): Promise<ProxiedRequest>
  /** Returns what is wrong with the credentials in a request. */
  faultOf(request: ProxiedRequest): CredentialDefect
  /**
   * Converts a documented body to the body that the kit would send, with the target's resource names and the run's tag.
   */
  sent(body: Json): Json
  /** Replaces an invalid request with a valid request for the same operation. */
  good(request: ProxiedRequest, cell: Cell): Promise<ProxiedRequest>
}

/** The reason why a request's credentials are invalid, or `fine` if they are valid. */
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

/** A bug that breaks a requirement for one operation in one version. */
export interface Mutant {
  /** The mutant's name, in the format `operator@operationId@version#what`. */
  readonly id: string
  readonly operator: string
  readonly cell: Cell
  /**
   * The requirements that the mutant breaks. The harness runs the checks for these requirements first. If none of these
   * checks detects the mutant, the harness runs all checks for the operation.
   */
  readonly hints: readonly RequirementId[]
  /**
   * The requests that the mutant affects. The requests can call the operation itself, any operation with the same path,
   * any operation in its API generation, or the same path in the other generation.
   */
  readonly reach: 'cell' | 'path' | 'generation' | 'other generation'
  /**
   * Creates the function that introduces the bug. Each run needs a new function, because the function can have state.
   */
  readonly make: (tools: Tools) => Interference
}

/** A kind of bug, with one mutant for every place where the bug is possible. */
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

/** Creates an operator from a function that returns the mutants for one operation and version. */
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
 * If the response meets a condition, changes the request and sends it again. As a result, the server accepts a request
 * that it should reject.
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

/**
 * Applies a mutant only to requests without `pretty=true`. Otherwise, the mutant would also change the JSON layout, and
 * the layout checks would detect the mutant before the intended check.
 */
export const unlessPretty =
  (make: Mutant['make']): Mutant['make'] =>
  (tools) => {
    const how = make(tools)
    return (request, forward) =>
      request.path.includes('pretty=true') ? forward(request) : how(request, forward)
  }

export const mapJson = (response: Response, change: (body: Json) => Json): Response => {
  const body = jsonOf(response)
  return body === undefined ? response : withJson(response, change(body))
}

export const queryOf = ({ path }: ProxiedRequest): URLSearchParams => new URL(path, 'http://x').searchParams

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

/** Creates an error response in the API's error format. */
export const errorResponse = (status: number, errorCode: string, reason: string): Response => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ error: status, errorCode, reason, detail: 'Made by a mutant.' }),
})
