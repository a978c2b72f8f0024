import {
  type Body,
  bodyOf,
  type Deprecation,
  type HttpMethod,
  type Json,
  type MediaType,
  methods,
  type OpenApiDocument,
  type Operation,
  ownDescription,
  type Parameter,
  type PathItem,
  type Response,
} from '@svc-admin/spec'
import { resolveParameter, resolveResponse } from './resolve.ts'

export interface BodyModel {
  readonly mediaType: string
  readonly content: Body
}

export interface ResponseModel {
  readonly status: string
  readonly response: Response
  readonly body?: BodyModel
}

/** An operation from a document, with its references resolved. */
export interface OperationModel {
  readonly id: string
  readonly method: HttpMethod
  /** The path, without the version's prefix. */
  readonly path: string
  /** The version's path prefix, which comes after the server's address. */
  readonly prefix: string
  readonly operation: Operation
  readonly tag: string
  readonly parameters: readonly Parameter[]
  readonly request?: BodyModel & { readonly required: boolean }
  readonly success: readonly ResponseModel[]
  readonly failures: readonly ResponseModel[]
  readonly deprecation?: Deprecation
  /** Whether the operation authenticates with a service account's client ID and secret (Basic). */
  readonly basic: boolean
}

/** Returns every operation in a document, sorted by tag and then by path. */
export function operationsOf(document: OpenApiDocument): OperationModel[] {
  const order = new Map((document.tags ?? []).map(({ name }, index) => [name, index]))
  const rank = ({ tag }: OperationModel) => order.get(tag) ?? order.size
  return Object.entries(document.paths)
    .flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method]
        return operation ? [operationOf(document, path, item, method, operation)] : []
      }),
    )
    .sort((a, b) => rank(a) - rank(b))
}

function operationOf(
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  method: HttpMethod,
  operation: Operation,
): OperationModel {
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    responseOf(status, resolveResponse(document, response)),
  )
  const request = bodyModelOf(operation.requestBody?.content)
  const servers = item.servers ?? document.servers ?? []
  return {
    id: operation.operationId,
    method,
    path,
    prefix: pathOfServer(servers[0]?.url),
    // Remove the deprecation notice from the description because the page shows it separately.
    operation: { ...operation, description: ownDescription(operation) },
    tag: operation.tags?.[0] ?? 'Other',
    parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
      resolveParameter(document, each),
    ),
    ...(request && { request: { ...request, required: operation.requestBody?.required ?? false } }),
    success: responses.filter(({ status }) => status < '4'),
    failures: responses.filter(({ status }) => status >= '4'),
    ...(operation['x-deprecation'] && { deprecation: operation['x-deprecation'] }),
    basic: (operation.security ?? []).some((need) =>
      Object.keys(need).some((name) => document.components.securitySchemes[name]?.scheme === 'basic'),
    ),
  }
}

function responseOf(status: string, response: Response): ResponseModel {
  const body = bodyModelOf(response.content)
  return { status, response, ...(body && { body }) }
}

function bodyModelOf(content: Record<string, MediaType> | undefined): BodyModel | undefined {
  const [mediaType, body] = bodyOf(content) ?? []
  return mediaType && body ? { mediaType, content: body } : undefined
}

function pathOfServer(url: string | undefined): string {
  if (!url) return ''
  return new URL(url, 'https://host.invalid').pathname.replace(/\/$/, '')
}

export function examplesOf(body: BodyModel | undefined): { name: string; summary: string; value: Json }[] {
  return Object.entries(body?.content.examples ?? {}).flatMap(([name, { summary, value }]) =>
    value === undefined ? [] : [{ name, summary: summary ?? name, value }],
  )
}

/**
 * Query parameters that nearly every operation has. Pages show these parameters in a collapsed section after the
 * request body.
 */
const commonParameters = new Set(['envelope', 'pretty'])

export const isCommon = ({ name, in: place }: Parameter): boolean =>
  place === 'query' && commonParameters.has(name)
