import { isArray, isObject, type Json } from '../src/document/json.ts'
import { errorAnswer, mapJson, onAnswer, requestHeader, withHeader } from './mutant.ts'
import type { Answer, Interference } from './proxy.ts'

/** A legal way to answer otherwise. */
export interface Variant {
  readonly name: string
  readonly make: () => Interference
  /** Sends answers in pieces, without saying how long they are. */
  readonly chunked?: boolean
}

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

/** Layout is promised with pretty=true, so bodies are written anew only without it. */
const unlessPretty = (change: (body: Json) => Json) => () =>
  onAnswer(
    (_, request) => !request.path.includes('pretty=true'),
    (answer) => mapJson(answer, change),
  )()

const otherTexts = (body: Json): Json => {
  if (!isObject(body)) return body
  if (isObject(body.content)) return { ...body, content: otherTexts(body.content) }
  const { detail, errorCode, error_description: description } = body
  // The versions of an operation are promised in the detail of a 406.
  if (typeof detail === 'string')
    return { ...body, detail: errorCode === 'NOT_ACCEPTABLE' ? `Nej: ${detail}` : 'Det gick inte.' }
  return description === undefined ? body : { ...body, error_description: 'Det gick inte.' }
}

const isTokenRequest = (path: string): boolean => path.includes('/oauth/')

/** Now and then, a request is put off. The token endpoint has a limit of its own, which is promised. */
const putsOff = (): Interference => {
  let count = 0
  return async (request, forward) => {
    count += 1
    if (count % 40 !== 0 || isTokenRequest(request.path)) return forward(request)
    return withHeader(errorAnswer(429, 'RATE_LIMITED', 'Too Many Requests'), 'Retry-After', '1')
  }
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
  { name: 'other order of members', make: unlessPretty(reversed) },
  { name: 'other texts of errors', make: unlessPretty(otherTexts) },
  { name: 'slow answers', make: slow },
  { name: 'put off with Retry-After', make: putsOff },
  { name: 'chunked answers', make: () => (request, forward) => forward(request), chunked: true },
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
]
