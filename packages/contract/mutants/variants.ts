import { isArray, isObject, type Json, parseJson, stringAt } from '../src/document/json.ts'
import { decidedOtherwise, linked } from './decided-otherwise.ts'
import { jsonOf, mapJson, onResponse, requestHeader, withHeader } from './mutant.ts'
import type { Interference, Response } from './proxy.ts'
import { isTokenRequest, rateLimited, unlessPretty, type Variant } from './variant.ts'

const always = (change: (response: Response) => Response) => () =>
  onResponse(
    () => true,
    (response) => change(response),
  )()

const mapContentType = (response: Response, change: (type: string) => string): Response => {
  const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return type === undefined ? response : withHeader(response, 'content-type', change(type))
}

const reversed = (value: Json): Json => {
  if (isArray(value)) return value.map(reversed)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, field]) => [key, reversed(field)]),
  )
}

/**
 * Adds an undocumented field to every object in a response, with a different value each time. Search index definitions
 * don't change, because clients write them.
 */
const extended = (value: Json): Json => {
  if (isArray(value)) return value.map(extended)
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(([name, field]): [string, Json] => [
    name,
    name === 'latestDefinition' ? field : extended(field),
  ])
  return { ...Object.fromEntries(fields), vendorExtension: { since: 'tomorrow', at: performance.now() } }
}

/**
 * Adds default values to a search index definition, as a real service might. The specification only requires a
 * definition to be an object.
 */
const filledIn = (value: Json): Json => {
  if (isArray(value)) return value.map(filledIn)
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(([name, field]) =>
    name === 'latestDefinition' && isObject(field)
      ? [name, { numPartitions: 1, storedSource: false, ...field }]
      : [name, filledIn(field)],
  )
  return Object.fromEntries(fields)
}

const otherTexts = (body: Json): Json => {
  if (!isObject(body)) return body
  if (isObject(body.content)) return { ...body, content: otherTexts(body.content) }
  const { detail, error, errorCode, error_description: description } = body
  // The text of NOT_ACCEPTABLE errors isn't changed, because `detail` must list the operation's versions.
  if (typeof detail === 'string')
    return { ...body, detail: errorCode === 'NOT_ACCEPTABLE' ? `Nej: ${detail}` : 'Det gick inte.' }
  // The text of this error isn't changed, because `error_description` must contain the name of the unknown query
  // parameter.
  if (error === 'invalid_request') return { ...body, error_description: `Nej: ${description}` }
  return description === undefined ? body : { ...body, error_description: 'Det gick inte.' }
}

/** Changes all fields with the given names, at any depth. */
const mapFields = (value: Json, names: readonly string[], change: (field: Json) => Json): Json => {
  if (isArray(value)) return value.map((element) => mapFields(element, names, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      names.includes(name) ? change(field) : mapFields(field, names, change),
    ]),
  )
}

/** Returns a line in the style of a database log. Each line contains a date in a time zone other than UTC. */
const logLineOf = (entry: Json): string =>
  isObject(entry) && entry.authResult === true
    ? '{"t":{"$date":"2024-05-30T10:11:12.133+02:00"},"s":"I","c":"ACCESS","msg":"Authentication succeeded"}'
    : '2024-05-30T10:11:12.133+0200 I ACCESS [conn1] SCRAM authentication failed'

const withLogLines = (body: Json): Json =>
  mapFields(body, ['accessLogs'], (entries) =>
    isArray(entries) ? entries.map((entry) => ({ ...Object(entry), logLine: logLineOf(entry) })) : entries,
  )

/** Reformats JSON without changing its values, as a database might when it stores a JSON document. */
const laidOutAnew = (text: Json): Json => {
  const document = typeof text === 'string' ? parseJson(text) : undefined
  return document === undefined ? text : JSON.stringify(reversed(document), null, 1)
}

/** Escapes more characters than necessary, as some JSON libraries do to make their output safe in HTML pages. */
const escaped = (text: string): string =>
  text.replace(/[^ -~\s]|[<>&'=+@]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase()
    return `\\u${code.padStart(4, '0')}`
  })

/** Formats JSON with a space before each colon and with arrays on a single line, as some libraries do. */
const printed = (value: Json, indent = ''): string => {
  if (isArray(value)) {
    const elements = value.map((element) => printed(element, indent))
    return elements.length === 0 ? '[ ]' : `[ ${elements.join(', ')} ]`
  }
  if (!isObject(value)) return JSON.stringify(value)
  const further = `${indent}  `
  const fields = Object.entries(value).map(
    ([name, field]) => `\n${further}${JSON.stringify(name)} : ${printed(field, further)}`,
  )
  return fields.length === 0 ? '{ }' : `{${fields.join(',')}\n${indent}}`
}

const slow = (): Interference => async (request, forward) => {
  await new Promise((resolve) => setTimeout(resolve, request.path.length % 7))
  return forward(request)
}

export const variants: readonly Variant[] = [
  { name: 'nothing', make: () => (request, forward) => forward(request) },
  {
    name: 'charset parameter',
    make: always((response) => mapContentType(response, (type) => `${type}; charset=utf-8`)),
  },
  {
    name: 'media types in uppercase',
    make: always((response) => mapContentType(response, (type) => type.toUpperCase())),
  },
  {
    name: 'additional headers',
    make: always((response) => ({
      ...response,
      headers: [...response.headers, ['X-Powered-By', 'care'], ['Server', 'other'], ['Vary', 'Origin']],
    })),
  },
  { name: 'additional fields', make: unlessPretty(extended) },
  {
    name: 'role resources as strings',
    make: unlessPretty((body) =>
      mapFields(body, ['featureId'], (id) => stringAt(id, 'exportBucketId') ?? id),
    ),
  },
  { name: 'definitions with defaults', make: unlessPretty(filledIn) },
  {
    name: 'two challenges',
    make: () =>
      onResponse(
        ({ status }, request) => status === 401 && !isTokenRequest(request.path),
        (response) => ({
          ...response,
          headers: [['WWW-Authenticate', 'Bearer realm="svc", error="invalid_token"'], ...response.headers],
        }),
      )(),
  },
  {
    name: 'a SHA-256 challenge before the MD5 challenge',
    make: () =>
      onResponse(
        ({ status }, request) => status === 401 && !isTokenRequest(request.path),
        (response) => ({
          ...response,
          headers: response.headers.flatMap(([name, value]) =>
            name.toLowerCase() === 'www-authenticate'
              ? ([
                  [name, value.replace('MD5', 'SHA-256')],
                  [name, value],
                ] as const)
              : [[name, value] as const],
          ),
        }),
      )(),
  },
  {
    name: 'timestamps in a different format',
    make: always((response) => ({ ...response, body: response.body.replace(/(:\d\d)Z"/g, '$1.000+00:00"') })),
  },
  { name: 'log lines with dates', make: unlessPretty(withLogLines) },
  { name: 'fields in a different order', make: unlessPretty(reversed) },
  {
    name: 'JSON strings with different formatting',
    make: unlessPretty((body) => mapFields(body, ['auditFilter'], laidOutAnew)),
  },
  { name: 'different error texts', make: unlessPretty(otherTexts) },
  {
    name: 'escaped characters',
    make: always((response) =>
      jsonOf(response) === undefined ? response : { ...response, body: escaped(response.body) },
    ),
  },
  {
    name: 'different indentation',
    make: onResponse(
      ({ body }) => body.endsWith('\n'),
      (response) => {
        const body = jsonOf(response)
        return body === undefined
          ? response
          : { ...response, body: `${printed(body)}\r\n`.replace(/\r?\n/g, '\r\n') }
      },
    ),
  },
  {
    name: 'links at a public address',
    make: linked(({ pathname, search }) => `https://api.example.com/databases${pathname}${search}`),
  },
  { name: 'slow responses', make: slow },
  { name: 'occasional 429 with Retry-After', make: rateLimited('1') },
  {
    name: 'chunked responses',
    make: () => (request, forward) => forward(request),
    sending: { chunked: true },
  },
  {
    name: 'compressed responses',
    make: () => (request, forward) => forward(request),
    sending: { gzip: true },
  },
  {
    name: 'header names in lower case',
    make: always((response) => ({
      ...response,
      headers: response.headers.map(([name, value]) => [name.toLowerCase(), value] as const),
    })),
  },
  {
    name: 'unordered lists in a different order',
    make: () =>
      onResponse(
        (_, { path }) =>
          /fieldNames|fts\/analyzers|availableProjects/.test(path) && !path.includes('pretty=true'),
        (response) => mapJson(response, (body) => (isArray(body) ? [...body].reverse() : body)),
      )(),
  },
  {
    name: 'Allow header in a different order',
    make: always((response) => {
      const allow = response.headers.find(([name]) => name.toLowerCase() === 'allow')?.[1]
      return allow === undefined
        ? response
        : withHeader(response, 'Allow', allow.split(/, */).reverse().join(',').toUpperCase())
    }),
  },
  {
    name: 'a challenge in a different letter case',
    make: () =>
      onResponse(
        ({ status }, request) =>
          status === 401 && !isTokenRequest(request.path) && requestHeader(request, 'Accept') !== '',
        (response) => ({
          ...response,
          headers: response.headers.map(
            ([name, value]) =>
              [
                name,
                value
                  .replace('Digest realm', 'DIGEST Realm')
                  .replace('stale=false', 'stale=FALSE')
                  .replace('algorithm=MD5', 'algorithm="MD5"'),
              ] as const,
          ),
        }),
      )(),
  },
  {
    name: 'removed dot segments',
    /** Resolves dot segments (RFC 3986 §5.2.4) before forwarding the request, as `URL` and most proxies do. */
    make: () => (request, forward) => {
      const [path = '', ...query] = request.path.split('?')
      const { pathname } = new URL(path, 'http://x')
      return forward({ ...request, path: [pathname, ...query].join('?') })
    },
  },
  ...decidedOtherwise,
]
