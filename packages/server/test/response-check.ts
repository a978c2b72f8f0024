import { bodyOf, loadDocument, type OpenApiDocument, type Response, type Schema } from '@svc-admin/spec'
import { errorCodes, operations, tokenErrors, type Version, versions } from '@svc-admin/types'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { SentResponse } from '../src/index.ts'
import { newestVersion } from '../src/specification/documents.ts'

/**
 * Validates a response against the OpenAPI documents, independently of the server's own parsing. Returns descriptions
 * of all violations.
 */
export function violationsOf(response: SentResponse): string[] {
  const path = response.target.split('?')[0] ?? ''
  if (!path.startsWith('/api/')) return []
  const violations = headerViolations(response)
  // If a literal path matches but doesn't support the method, matching paths with parameters must not be used.
  const found = response.status === 405 ? undefined : findOperation(response.method, path)
  if (!found) return [...violations, ...unroutedViolations(response)]
  const { row } = found
  const version = resolvedVersion(response, found)
  const document = documentOf(version)
  const operation = document.paths[row.path]?.[lower(row.method)]
  if (!operation) return [...violations, `${row.id} is not in ${version}`]
  const wrapped = isWrapped(response)
  const declared = operation.responses[String(statusWithin(response, wrapped))]
  if (!declared) return [...violations, `${row.id} does not declare ${response.status}`]
  return [
    ...violations,
    ...bodyViolations(response, version, resolve(document, declared), wrapped, row.security),
  ]
}

type Row = (typeof operations)[keyof typeof operations]

/** All operations. Literal paths come first, because they take precedence over paths with parameters. */
const literalFirst = Object.values(operations).sort(
  (a, b) => a.pathParameters.length - b.pathParameters.length,
)

interface Found {
  readonly row: Row
  readonly generation: string
}

function findOperation(method: string, path: string): Found | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  for (const row of literalFirst) {
    if (row.method !== wanted) continue
    // Parameters can match empty segments, because the server rejects the parameter's value instead of the path.
    const pattern = new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]*')}$`)
    if (row.absolute && pattern.test(path)) return { row, generation: 'none' }
    for (const { prefix, generation } of versions) {
      const own = Object.keys(row.versions).some((id) => (id === 'v1.0') === (generation === 'v1.0'))
      if (own && path.startsWith(`${prefix}/`) && pattern.test(path.slice(prefix.length))) {
        return { row, generation }
      }
    }
  }
  return undefined
}

function resolvedVersion(response: SentResponse, { row, generation }: Found): Version {
  if (generation === 'v1.0') return 'v1.0'
  const date = /vnd\.svc\.([\d-]+)\+json/.exec(String(response.headers['content-type'] ?? ''))?.[1]
  const has = (id: Version) => documentOf(id).paths[row.path]?.[lower(row.method)] !== undefined
  // Errors don't belong to a specific version, so they must be declared in the operation's newest version.
  const own = versions.find(({ id }) => id === date) ?? versions.findLast(({ id }) => has(id))
  return own?.id ?? newestVersion
}

function headerViolations({ status, headers, method, body }: SentResponse): string[] {
  const type = String(headers['content-type'] ?? '')
  return [
    ...(headers['x-request-id'] ? [] : ['no x-request-id']),
    ...(status >= 400 && type !== 'application/json' ? [`an error of type ${type}`] : []),
    ...(status === 401 && !headers['www-authenticate'] ? ['a 401 without a challenge'] : []),
    ...(status === 405 && !headers.allow ? ['a 405 without Allow'] : []),
    ...((status === 429 || status === 503) && !headers['retry-after'] ? ['no Retry-After'] : []),
    // Any operation can return 503. The documents declare no other server errors.
    ...(status >= 500 && status !== 503 ? [`a status of ${status}`] : []),
    ...(body === '' && status !== 204 && status !== 202 && method !== 'HEAD' ? ['no body'] : []),
  ]
}

function unroutedViolations(response: SentResponse): string[] {
  const { status, body } = response
  if (status === 204 || status === 400) return []
  if (status !== 404 && status !== 405) return [`no operation returns ${status}`]
  if (body === '') return []
  const sent: unknown = JSON.parse(body)
  return errorViolations(isWrapped(response) ? contentOf(sent) : sent, status)
}

function isWrapped({ target }: SentResponse): boolean {
  const flags = new URLSearchParams(target.split('?').slice(1).join('?')).getAll('envelope')
  return flags.length === 1 && flags[0] === 'true'
}

function statusWithin({ status, body }: SentResponse, wrapped: boolean): number {
  return wrapped && body !== '' ? JSON.parse(body).status : status
}

function bodyViolations(
  response: SentResponse,
  version: Version,
  declared: Response,
  wrapped: boolean,
  security: string,
): string[] {
  if (response.body === '') return []
  const sent: unknown = JSON.parse(response.body)
  const content = wrapped ? contentOf(sent) : sent
  if (response.status >= 400) {
    return security === 'api' ? errorViolations(content, response.status) : tokenErrorViolations(content)
  }
  const media = bodyOf(declared.content)
  if (!media) return wrapped ? [] : ['a body where none is declared']
  const [type, { schema }] = media
  const validate = compile(version, schema)
  const typed =
    response.headers['content-type'] === type ? [] : [`type ${response.headers['content-type']}, not ${type}`]
  return validate(content)
    ? typed
    : [...typed, `${JSON.stringify(validate.errors?.slice(0, 3))} in ${response.body}`]
}

/** Returns the content of a body. If the body is an envelope, returns the content of the envelope. */
function contentOf(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null) return sent
  if ('content' in sent) return sent.content
  const { status: _, ...rest }: Record<string, unknown> = { ...sent }
  return 'links' in rest ? rest : rest.results
}

const codes: Readonly<Record<string, { status: number }>> = errorCodes

function errorViolations(body: unknown, status: number): string[] {
  const validate = compile(newestVersion, { $ref: '#/components/schemas/ApiError' })
  if (!validate(body)) return [`an error with a different format: ${JSON.stringify(body)}`]
  const { errorCode, error } = Object(body)
  const right = codes[errorCode]?.status === status && error === status
  return right ? [] : [`${errorCode} with status ${status}`]
}

function tokenErrorViolations(body: unknown): string[] {
  const { error } = Object(body)
  return Object.hasOwn(tokenErrors, error) ? [] : [`a token error ${error}`]
}

const documents = new Map<Version, OpenApiDocument>()
const compiled = new Map<string, ValidateFunction>()

function documentOf(version: Version): OpenApiDocument {
  const document = documents.get(version) ?? loadDocument(version)
  documents.set(version, document)
  return document
}

function resolve(document: OpenApiDocument, response: Response): Response {
  const name = response.$ref?.split('/').at(-1)
  return name === undefined ? response : (document.components.responses[name] ?? {})
}

function compile(version: Version, schema: Schema): ValidateFunction {
  const key = `${version} ${JSON.stringify(schema)}`
  const known = compiled.get(key)
  if (known) return known
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const validate = ajv.compile({ ...schema, components: documentOf(version).components })
  compiled.set(key, validate)
  return validate
}

function lower(method: Row['method']): 'get' | 'put' | 'post' | 'patch' | 'delete' {
  const names = { GET: 'get', PUT: 'put', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const
  return names[method]
}
