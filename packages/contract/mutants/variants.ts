import { isArray, isObject, type Json, parseJson } from '../src/document/json.ts'
import { decidedOtherwise, linked } from './decided-otherwise.ts'
import { jsonOf, mapJson, onAnswer, requestHeader, withHeader } from './mutant.ts'
import type { Answer, Interference } from './proxy.ts'
import { isTokenRequest, putsOff, unlessPretty, type Variant } from './variant.ts'

const always = (change: (answer: Answer) => Answer) => () =>
  onAnswer(
    () => true,
    (answer) => change(answer),
  )()

const mapContentType = (answer: Answer, change: (type: string) => string): Answer => {
  const type = answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return type === undefined ? answer : withHeader(answer, 'content-type', change(type))
}

const reversed = (value: Json): Json => {
  if (isArray(value)) return value.map(reversed)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  )
}

/** A member more in every object that is an answer, an item of a list, or an error; another one each time. */
const extended = (value: Json): Json => {
  if (isArray(value)) return value.map(extended)
  if (!isObject(value)) return value
  const { results, content, ...rest } = value
  return {
    ...rest,
    ...(isArray(results) && { results: results.map(extended) }),
    ...(content !== undefined && {
      content: Object.keys(isObject(content) ? content : { a: 1 }).length === 0 ? content : extended(content),
    }),
    vendorExtension: { since: 'tomorrow', at: performance.now() },
  }
}

/** A definition as a service may fill it in: the source says no more of it than that it is an object. */
const filledIn = (value: Json): Json => {
  if (isArray(value)) return value.map(filledIn)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, member]) =>
    name === 'latestDefinition' && isObject(member)
      ? [name, { numPartitions: 1, storedSource: false, ...member }]
      : [name, filledIn(member)],
  )
  return Object.fromEntries(members)
}

const otherTexts = (body: Json): Json => {
  if (!isObject(body)) return body
  if (isObject(body.content)) return { ...body, content: otherTexts(body.content) }
  const { detail, error, errorCode, error_description: description } = body
  // The versions of an operation are promised in the detail of a 406.
  if (typeof detail === 'string')
    return { ...body, detail: errorCode === 'NOT_ACCEPTABLE' ? `Nej: ${detail}` : 'Det gick inte.' }
  // And so is the name of a parameter that the token endpoint does not know.
  if (error === 'invalid_request') return { ...body, error_description: `Nej: ${description}` }
  return description === undefined ? body : { ...body, error_description: 'Det gick inte.' }
}

/** Changes what stands under some names, wherever that is. */
const mapMembers = (value: Json, names: readonly string[], change: (member: Json) => Json): Json => {
  if (isArray(value)) return value.map((element) => mapMembers(element, names, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      names.includes(name) ? change(member) : mapMembers(member, names, change),
    ]),
  )
}

/** Lines of logs as a database writes them: one has a date of another zone in it, one begins with such a date. */
const logLineOf = (entry: Json): string =>
  isObject(entry) && entry.authResult === true
    ? '{"t":{"$date":"2024-05-30T10:11:12.133+02:00"},"s":"I","c":"ACCESS","msg":"Authentication succeeded"}'
    : '2024-05-30T10:11:12.133+0200 I ACCESS [conn1] SCRAM authentication failed'

const withLogLines = (body: Json): Json =>
  mapMembers(body, ['accessLogs'], (entries) =>
    isArray(entries) ? entries.map((entry) => ({ ...Object(entry), logLine: logLineOf(entry) })) : entries,
  )

/** The document of a text, as a database may have kept it: by its values. */
const laidOutAnew = (text: Json): Json => {
  const document = typeof text === 'string' ? parseJson(text) : undefined
  return document === undefined ? text : JSON.stringify(reversed(document), null, 1)
}

/** Escapes what may stand in a text as it is, as writers of JSON do whose texts are to stand in a page or a script. */
const escaped = (text: string): string =>
  text.replace(/[^ -~\s]|[<>&'=+@]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase()
    return `\\u${code.padStart(4, '0')}`
  })

/** Prints a value as other writers of JSON do: a space before each colon, and arrays that go on in their line. */
const printed = (value: Json, indent = ''): string => {
  if (isArray(value)) {
    const elements = value.map((element) => printed(element, indent))
    return elements.length === 0 ? '[ ]' : `[ ${elements.join(', ')} ]`
  }
  if (!isObject(value)) return JSON.stringify(value)
  const further = `${indent}  `
  const members = Object.entries(value).map(
    ([name, member]) => `\n${further}${JSON.stringify(name)} : ${printed(member, further)}`,
  )
  return members.length === 0 ? '{ }' : `{${members.join(',')}\n${indent}}`
}

const slow = (): Interference => async (request, forward) => {
  await new Promise((resolve) => setTimeout(resolve, request.path.length % 7))
  return forward(request)
}

export const variants: readonly Variant[] = [
  { name: 'nothing', make: () => (request, forward) => forward(request) },
  {
    name: 'charset parameter',
    make: always((answer) => mapContentType(answer, (type) => `${type}; charset=utf-8`)),
  },
  {
    name: 'media types in capitals',
    make: always((answer) => mapContentType(answer, (type) => type.toUpperCase())),
  },
  {
    name: 'more headers',
    make: always((answer) => ({
      ...answer,
      headers: [...answer.headers, ['X-Powered-By', 'care'], ['Server', 'other'], ['Vary', 'Origin']],
    })),
  },
  { name: 'more members', make: unlessPretty(extended) },
  { name: 'definitions filled in', make: unlessPretty(filledIn) },
  {
    name: 'two challenges',
    make: () =>
      onAnswer(
        ({ status }, request) => status === 401 && !isTokenRequest(request.path),
        (answer) => ({
          ...answer,
          headers: [['WWW-Authenticate', 'Bearer realm="svc", error="invalid_token"'], ...answer.headers],
        }),
      )(),
  },
  {
    name: 'a challenge with SHA-256 before that with MD5',
    make: () =>
      onAnswer(
        ({ status }, request) => status === 401 && !isTokenRequest(request.path),
        (answer) => ({
          ...answer,
          headers: answer.headers.flatMap(([name, value]) =>
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
    name: 'timestamps spelt otherwise',
    make: always((answer) => ({ ...answer, body: answer.body.replace(/(:\d\d)Z"/g, '$1.000+00:00"') })),
  },
  { name: 'lines of logs with dates in them', make: unlessPretty(withLogLines) },
  { name: 'other order of members', make: unlessPretty(reversed) },
  {
    name: 'documents in texts laid out otherwise',
    make: unlessPretty((body) => mapMembers(body, ['auditFilter'], laidOutAnew)),
  },
  { name: 'other texts of errors', make: unlessPretty(otherTexts) },
  {
    name: 'characters escaped',
    make: always((answer) =>
      jsonOf(answer) === undefined ? answer : { ...answer, body: escaped(answer.body) },
    ),
  },
  {
    name: 'indented as others do',
    make: onAnswer(
      ({ body }) => body.endsWith('\n'),
      (answer) => {
        const body = jsonOf(answer)
        return body === undefined
          ? answer
          : { ...answer, body: `${printed(body)}\r\n`.replace(/\r?\n/g, '\r\n') }
      },
    ),
  },
  {
    name: 'links at a public address',
    make: linked(({ pathname, search }) => `https://api.example.com/databases${pathname}${search}`),
  },
  { name: 'slow answers', make: slow },
  { name: 'put off with Retry-After', make: putsOff('1') },
  { name: 'chunked answers', make: () => (request, forward) => forward(request), sending: { chunked: true } },
  { name: 'compressed answers', make: () => (request, forward) => forward(request), sending: { gzip: true } },
  {
    name: 'header names in lower case',
    make: always((answer) => ({
      ...answer,
      headers: answer.headers.map(([name, value]) => [name.toLowerCase(), value] as const),
    })),
  },
  {
    name: 'other order where none is promised',
    make: () =>
      onAnswer(
        (_, request) => request.path.includes('fieldNames') && !request.path.includes('pretty=true'),
        (answer) => mapJson(answer, (body) => (isArray(body) ? [...body].reverse() : body)),
      )(),
  },
  {
    name: 'other order in Allow',
    make: always((answer) => {
      const allow = answer.headers.find(([name]) => name.toLowerCase() === 'allow')?.[1]
      return allow === undefined
        ? answer
        : withHeader(answer, 'Allow', allow.split(/, */).reverse().join(',').toUpperCase())
    }),
  },
  {
    name: 'challenge spelt otherwise',
    make: () =>
      onAnswer(
        ({ status }, request) =>
          status === 401 && !isTokenRequest(request.path) && requestHeader(request, 'Accept') !== '',
        (answer) => ({
          ...answer,
          headers: answer.headers.map(
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
    name: 'dot segments taken away',
    // As RFC 3986 §5.2.4 has it, and `URL` and most proxies do it before anything looks at the path.
    make: () => (request, forward) => {
      const [path = '', ...query] = request.path.split('?')
      const { pathname } = new URL(path, 'http://x')
      return forward({ ...request, path: [pathname, ...query].join('?') })
    },
  },
  ...decidedOtherwise,
]
