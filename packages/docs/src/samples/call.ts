import type { Json, OpenApiDocument, Parameter, Schema } from '@svc-admin/spec'
import { examplesOf, type OperationModel } from '../model/operation-model.ts'
import { resolveSchema } from '../model/resolve.ts'
import type { VersionModel } from '../model/site-model.ts'

/** A request with example values, from which the samples in all languages are generated. */
export interface SampleCall {
  readonly operationId: string
  readonly version: string
  readonly method: string
  /** The path from the server's root. Parameters are replaced by example values. */
  readonly path: string
  /** The values of all path and query parameters, by name. */
  readonly arguments: Readonly<Record<string, Json>>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly accept: string
  readonly contentType?: string
  readonly body?: Json
  readonly paged: boolean
  readonly origin: string
  /** Whether the operation uses the client ID and secret directly, as Basic credentials. */
  readonly basic: boolean
}

/**
 * Returns an example request for an operation. The request contains all required parameters and the first example of
 * the body.
 */
export function sampleCall(version: VersionModel, model: OperationModel): SampleCall {
  const { document } = version
  const needed = model.parameters.filter(({ required }) => required)
  const values = new Map(needed.map((each) => [each.name, exampleOf(document, each)]))
  for (const [name, value] of placeOf(version, model)) if (values.has(name)) values.set(name, value)
  const path = model.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name) ?? name)),
  )
  const [example] = examplesOf(model.request)
  const url = document.servers?.[0]?.url ?? 'https://svc.example'
  return {
    operationId: model.id,
    version: version.id,
    method: model.method.toUpperCase(),
    path: `${model.prefix}${path}`,
    arguments: Object.fromEntries(values),
    query: needed.filter((each) => each.in === 'query').map(({ name }) => [name, String(values.get(name))]),
    accept: acceptOf(version, model),
    ...(model.request && {
      contentType: ofVersion(version, model.request.mediaType),
      body: example?.value ?? {},
    }),
    paged: model.operation['x-paged'] ?? false,
    origin: new URL(url, 'https://svc.example').origin,
    basic: model.basic,
  }
}

/**
 * Returns the path parameter values from the `self` link of the example response. If the example response has no
 * matching link, uses the GET response for the same path. The examples of the parameters themselves may belong to a
 * different resource.
 */
function placeOf(version: VersionModel, model: OperationModel): Map<string, string> {
  const reading = version.operations.find(({ method, path }) => method === 'get' && path === model.path)
  const names = [...model.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  const pattern = new RegExp(`${model.path.replace(/\{[^}]+\}/g, '([^/]+)')}$`)
  for (const { success } of [model, ...(reading ? [reading] : [])])
    for (const { value } of success.flatMap(({ body }) => examplesOf(body))) {
      const found = pattern.exec(selfOf(value) ?? '')
      if (found)
        return new Map(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]))
    }
  return new Map()
}

function selfOf(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Array.isArray(value.links))
    return undefined
  const [own] = value.links.filter(
    (each) => typeof each === 'object' && each !== null && !Array.isArray(each) && each.rel === 'self',
  )
  const href = typeof own === 'object' && own !== null && !Array.isArray(own) ? own.href : undefined
  return typeof href === 'string' ? new URL(href, 'https://svc.example').pathname : undefined
}

/** Returns the value for the `Accept` header. Even if the response has no body, the header contains the version. */
export function acceptOf(version: VersionModel, { success, basic }: OperationModel): string {
  const [first] = success.flatMap(({ body }) => (body ? [body.mediaType] : []))
  return ofVersion(version, first ?? (basic ? 'application/json' : version.fact.mediaType))
}

/**
 * Changes the date in a media type to the page's version, because samples request this version. If the operation didn't
 * change in this version, its documented media type has an earlier date.
 */
const ofVersion = ({ fact }: VersionModel, mediaType: string): string =>
  ownDate(mediaType) ? fact.mediaType : mediaType

/** Returns the date in a media type, if it has one. */
export const ownDate = (mediaType: string): string | undefined => /\.(\d{4}-\d\d-\d\d)\+/.exec(mediaType)?.[1]

/**
 * Returns the first example of a parameter or its schema. If there is no example, returns the default value, the first
 * enum value, or the parameter name.
 */
export function exampleOf(document: OpenApiDocument, { example, examples, schema, name }: Parameter): Json {
  return example ?? Object.values(examples ?? {})[0]?.value ?? schemaExample(document, schema) ?? name
}

function schemaExample(document: OpenApiDocument, schema: Schema): Json | undefined {
  const resolved = resolveSchema(document, schema)
  const given = [resolved.examples?.[0], resolved.default, resolved.enum?.[0]]
  return given.find((value): value is Json => value !== undefined)
}
