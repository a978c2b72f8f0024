import { STATUS_CODES } from 'node:http'
import { errorCodes, limits, type RequirementId } from '@svc-admin/types'
import { isArray, isObject, type Json, numberAt, parseJson, stringAt } from '../src/document/json.ts'
import type { Result } from '../src/engine/result.ts'
import {
  errorAnswer,
  jsonOf,
  mapJson,
  onAnswer,
  queryOf,
  requestHeader,
  withHeader,
  withStatus,
} from './mutant.ts'
import type { Answer, Interference, Passing, Sending } from './proxy.ts'

/** A legal way to answer otherwise. */
export interface Variant {
  readonly name: string
  readonly make: () => Interference
  /**
   * Where it is other than was decided: the requirements that say so, or every decided one. Whoever does so is warned,
   * and no stated promise is broken by it.
   */
  readonly warned?: readonly RequirementId[] | 'where decided'
  readonly sending?: Sending
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

const isTokenRequest = (path: string): boolean => path.includes('/oauth/')

/** Now and then, a request is put off. The token endpoint has a limit of its own, which is promised. */
const putsOff = (retryAfter: string | undefined) => (): Interference => {
  let count = 0
  return async (request, forward) => {
    count += 1
    if (count % 40 !== 0 || isTokenRequest(request.path)) return forward(request)
    return withHeader(errorAnswer(429, 'RATE_LIMITED', 'Too Many Requests'), 'Retry-After', retryAfter)
  }
}

const slow = (): Interference => async (request, forward) => {
  await new Promise((resolve) => setTimeout(resolve, request.path.length % 7))
  return forward(request)
}

/** Larger than anything that the source bounds or a run has need of; the decided bounds lie past it. */
const isVast = (value: Json): boolean => {
  if (typeof value === 'number') return value > 2 ** 31 - 1
  if (typeof value === 'string') return value.length > limits.iamAssumedRoleArn.maxLength
  if (isArray(value) && value.length > limits.itemsPerPage.maximum) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(isVast)
}

/** What a counter of 32 bits holds, and the year 2100. */
const vastInQuery: Readonly<Record<string, number>> = {
  pageNum: 2 ** 31 - 1,
  start: Date.UTC(2100, 0),
  end: Date.UTC(2100, 0),
}

const asksForVast = (request: Passing): boolean =>
  Object.entries(vastInQuery).some(([name, most]) => Number(queryOf(request).get(name)) > most) ||
  Buffer.byteLength(request.body ?? '') > limits.body.bytes / 2 ||
  isVast(parseJson(request.body ?? '') ?? null)

const isWarned = ({ warned = [] }: Variant, { requirement }: Result): boolean =>
  warned === 'where decided' || warned.some((id) => id === requirement)

/**
 * Whether a result says something against a target that answers in the way of a variant: all but a warning does, and
 * that something unusual is legal is told to those alone who decided otherwise.
 */
export const isFalseAlarm = (variant: Variant, result: Result): boolean => {
  const { verdict } = result
  if (verdict === 'WARN') return !isWarned(variant, result)
  if (verdict === 'LENIENT') return variant.warned === undefined
  return verdict !== 'PASS' && verdict !== 'NOT APPLICABLE'
}

/** Gives answers another status, in the envelope as well. */
const inStatus =
  (other: (status: number, request: Passing) => number, told: (body: Json, status: number) => Json) =>
  () =>
  async (request: Passing, forward: (request: Passing) => Promise<Answer>): Promise<Answer> => {
    const answer = await forward(request)
    if (isTokenRequest(request.path)) return answer
    const body = jsonOf(answer)
    const inner = request.path.includes('envelope=true') ? numberAt(body, 'status') : undefined
    const before = inner ?? answer.status
    const after = other(before, request)
    if (after === before) return answer
    // An answer without a body is a 200 in an envelope, whatever stands in it.
    const outer = answer.status === before ? withStatus(answer, after) : answer
    if (body === undefined) return outer
    const within = isObject(body) && inner !== undefined
    const enveloped =
      within && 'content' in body ? { ...body, content: told(body.content ?? null, after) } : body
    const changed = within ? { ...Object(enveloped), status: after } : told(body, after)
    const indent = request.path.includes('pretty=true') ? 2 : 0
    return { ...outer, body: JSON.stringify(changed, null, indent) + (indent > 0 ? '\n' : '') }
  }

const otherSuccesses: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  POST: { 200: 201, 201: 200, 202: 204 },
  PUT: { 200: 201 },
  PATCH: { 200: 202 },
  DELETE: { 204: 200, 200: 202 },
}

/** What an error says of its own status. */
const asStatus =
  (errorCode: string) =>
  (body: Json, status: number): Json =>
    isObject(body) ? { ...body, error: status, errorCode, reason: STATUS_CODES[status] ?? '' } : body

/** Codes of errors that were decided. */
const isDecidedCode = (code: string): boolean =>
  Object.entries(errorCodes).some(([id, { strength }]) => id === code && strength === 'decided')

const otherCode = (body: Json): Json => {
  if (!isObject(body)) return body
  if (isObject(body.content)) return { ...body, content: otherCode(body.content) }
  const code = stringAt(body, 'errorCode') ?? ''
  return isDecidedCode(code) ? { ...body, errorCode: `X_${code}` } : body
}

/** Challenges whoever sends wrong credentials of a scheme, or of any, in another way. */
const challengingWrong = (scheme: string, change: (challenge: string) => string) => () =>
  onAnswer(
    ({ status }, request) =>
      status === 401 &&
      !isTokenRequest(request.path) &&
      (requestHeader(request, 'Authorization')?.startsWith(scheme) ?? false),
    (answer) => ({
      ...answer,
      headers: answer.headers.map(([name, value]) =>
        name.toLowerCase() === 'www-authenticate' ? [name, change(value)] : [name, value],
      ),
    }),
  )()

/** Ways that others decided where the source is silent. */
const decidedOtherwise: readonly Variant[] = [
  {
    name: 'a challenge of its own scheme alone for a wrong token',
    warned: ['auth.unauthorized-carries-challenge'],
    make: challengingWrong('Bearer', () => 'Bearer realm="svc", error="invalid_token"'),
  },
  {
    name: 'no stale for wrong credentials',
    warned: ['auth.unauthorized-carries-challenge'],
    make: challengingWrong('', (challenge) => challenge.replace(/, stale=false/, '')),
  },
  { name: '429 without Retry-After', warned: ['errors.retry-after'], make: putsOff(undefined) },
  {
    name: 'other success statuses',
    warned: ['errors.success-status'],
    make: inStatus(
      (status, { method }) => otherSuccesses[method]?.[status] ?? status,
      (body) => body,
    ),
  },
  { name: 'other error codes', warned: 'where decided', make: unlessPretty(otherCode) },
  {
    name: 'narrower bounds where they were decided',
    warned: ['parameters.bounds-accepted', 'bodies.bounds-accepted'],
    make: onAnswer(
      ({ status }, request) => status < 300 && !isTokenRequest(request.path) && asksForVast(request),
      () => errorAnswer(400, 'VALIDATION_ERROR', 'Bad Request'),
    ),
  },
  {
    name: '403 for what is not found',
    warned: 'where decided',
    make: inStatus((status) => (status === 404 ? 403 : status), asStatus('INSUFFICIENT_ROLE')),
  },
  {
    name: '404 for what is forbidden',
    warned: 'where decided',
    make: inStatus((status) => (status === 403 ? 404 : status), asStatus('RESOURCE_NOT_FOUND')),
  },
  {
    name: '400 for conflicts',
    warned: 'where decided',
    make: inStatus((status) => (status === 409 ? 400 : status), asStatus('VALIDATION_ERROR')),
  },
  {
    name: '422 for what does not fit',
    warned: 'where decided',
    make: inStatus((status) => (status === 400 ? 422 : status), asStatus('VALIDATION_ERROR')),
  },
]

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
  { name: 'other texts of errors', make: unlessPretty(otherTexts) },
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
  ...decidedOtherwise,
]
