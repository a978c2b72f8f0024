import { always, both, forEach, onApi, type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, isArray, isObject, numberAt, objectAt, stringAt, valueAt } from '../../document/json.ts'
import type { Strength } from '../../document/strength.ts'
import { anonymous } from '../../http/authorization.ts'
import type { Exchange } from '../../http/exchange.ts'
import { openEnvelope, returnsArray, returnsPage } from '../../judges/envelope.ts'
import { hasIndentedLine, indented, overLines } from '../../judges/layout.ts'
import type { Cell } from '../../model/api.ts'
import type { Query } from '../../model/call.ts'
import { missingErrorCode } from '../../model/difference.ts'
import {
  bodyOf,
  describeResponse,
  expectRefusal,
  expectServed,
  expectThat,
  isSuccess,
} from '../../model/expect.ts'
import { type Breach, Untestable } from '../../model/signals.ts'
import { combined } from '../../resources/combinations.ts'
import { unusedId } from '../../resources/own-resources.ts'

const enveloped = ({ operation }: Cell): true | string =>
  operation.envelope || 'the operation has no envelope'
/** Returns whether the operation returns a list, even if the list has no paging parameters. */
const isList = (cell: Cell): boolean => cell.operation.paged || returnsArray(cell) || returnsPage(cell)
const onPage = (cell: Cell): true | string => (isList(cell) && !returnsArray(cell)) || 'not a paged list'
const onArray = (cell: Cell): true | string => returnsArray(cell) || 'not a bare array'
const onResource = (cell: Cell): true | string => (cell.row.hasContent && !isList(cell)) || 'not one resource'
const onEmpty = (cell: Cell): true | string => !cell.row.hasContent || 'the response has a body'

const wrapped = async (trial: Trial): Promise<Exchange> => {
  const exchange = await trial.try({ query: [['envelope', 'true']] })
  expectServed(exchange)
  return exchange
}

/** Returns the status of a valid request without an envelope. A separate requirement checks this status. */
const plainStatus = async (trial: Trial): Promise<number> => {
  // The enveloped request may have used up the trial's resources, so this request needs new resources.
  const exchange = await trial.send(await trial.callOf(trial.cell.operation.id))
  expectServed(exchange)
  return exchange.response.status
}

/**
 * Expects the envelope to contain the given status. If the HTTP status is different, the envelope may contain the HTTP
 * status instead, because the specification doesn't define which status to use.
 */
const statusField = (exchange: Exchange, expected: number, strength: Strength = 'stated'): void => {
  const status = numberAt(bodyOf(exchange), 'status')
  expectThat(status === expected, {
    expected: `status ${expected} in the envelope`,
    actual: `status ${inspect(status)}`,
    exchange,
    strength: status === exchange.response.status ? 'decided' : strength,
  })
}

const hasField = (exchange: Exchange, name: string, fits: (value: unknown) => boolean): void => {
  const body = bodyOf(exchange)
  const value = isObject(body) ? body[name] : undefined
  expectThat(isObject(body) && numberAt(body, 'status') !== undefined && fits(value), {
    expected: `an object with status and ${name}`,
    actual: isObject(body)
      ? `an object with ${Object.keys(body).join(', ') || 'no fields'}`
      : 'a body that is not an object',
    exchange,
  })
}

/** Expects an envelope, regardless of the request's other parameters. */
const wrapsIn = (
  name: 'content' | 'results',
  fits: (value: unknown) => boolean,
  applies: (cell: Cell) => true | string,
): Rule[] => [
  always(async (trial) => hasField(await wrapped(trial), name, fits), {
    at: both(onApi, enveloped, applies),
  }),
  combined('envelope', (_, exchange) => hasField(exchange, name, fits), applies),
]

/** Expects an enveloped list to have the same fields as the list without an envelope. */
const keepsFields = async (trial: Trial): Promise<void> => {
  const plain = await trial.try()
  expectServed(plain)
  const exchange = await wrapped(trial)
  const content = openEnvelope(trial.cell, bodyOf(exchange))?.content
  if (!isObject(content)) throw new Untestable('an envelope with a list')
  const missing = Object.keys(objectAt({ body: bodyOf(plain) }, 'body')).filter((name) => !(name in content))
  expectThat(missing.length === 0, {
    expected: `the list with ${missing.join(', ')}, as without an envelope`,
    actual: `a list with ${Object.keys(content).join(', ')}`,
    exchange,
  })
}

const notWrapped = (trial: Trial, exchange: Exchange): void => {
  expectServed(exchange)
  // This operation returns no body. If a response has a body nevertheless, the body may be an envelope.
  if (!trial.cell.row.hasContent && exchange.response.body === '') return
  const body = bodyOf(exchange)
  const looksWrapped =
    isObject(body) && typeof body.status === 'number' && ('content' in body || 'results' in body)
  expectThat(!looksWrapped, {
    expected: 'a response without an envelope',
    actual: 'a response in an envelope',
    exchange,
  })
}

/** Lenient parsers might accept these values as booleans. */
const notBooleans = ['TRUE', 'True', '1', '0', 'yes', ''] as const

const booleanOnly = (name: 'envelope' | 'pretty') =>
  forEach(
    () => notBooleans,
    (value) => JSON.stringify(value),
    async (trial, value) =>
      expectRefusal(
        await trial.try({ query: [[name, value]] }),
        'VALIDATION_ERROR',
        `${name} is neither true nor false`,
      ),
    { at: both(onApi, ({ operation }) => operation[name] || `the operation has no ${name}`), phase: 'read' },
  )

const prettyAt = (cell: Cell): true | string =>
  (cell.operation.pretty && cell.row.hasContent) || 'the response has no body to indent'

const hasPretty = ({ operation }: Cell): true | string => operation.pretty || 'the operation has no pretty'

/** The kinds of errors: from parsing the query, from authentication, and from looking up a resource. */
const everyError = ['invalid', 'unauthorized', 'not found'] as const
type ErrorKind = (typeof everyError)[number]

const places = ['groupId', 'orgId'] as const

const placeOf = ({ operation }: Cell) => places.find((name) => operation.pathParameters.includes(name))

const errorKinds = (cell: Cell): readonly ErrorKind[] =>
  everyError.filter((kind) => kind !== 'not found' || placeOf(cell) !== undefined)

const callFor = async (trial: Trial, kind: ErrorKind, query: Query): Promise<Exchange> => {
  if (kind === 'unauthorized') return trial.try({ query, as: anonymous })
  const place = placeOf(trial.cell)
  if (kind === 'not found') return trial.try({ query, parameters: { [place ?? '']: unusedId() } })
  const exchange = await trial.try({ query: [...query, ['noSuchParameter', '1']] })
  // A server may ignore unknown parameters. Identifiers have a stated pattern.
  return isSuccess(exchange) && place !== undefined
    ? trial.try({ query, parameters: { [place]: 'malformed' } })
    : exchange
}

/**
 * Sends a request that has the flag and an error of the given kind.
 *
 * @throws Untestable if the request succeeds. Other checks report an unexpected success.
 */
const tryError = async (trial: Trial, kind: ErrorKind, flag: 'envelope' | 'pretty'): Promise<Exchange> => {
  const exchange = await callFor(trial, kind, [[flag, 'true']])
  if (isSuccess(exchange)) throw new Untestable(`an error of this kind (${kind})`)
  return exchange
}

const expectIndented = (exchange: Exchange): void => {
  bodyOf(exchange)
  expectThat(overLines(exchange), { expected: 'indented lines', actual: 'a different layout', exchange })
}

const twoSpaces = (exchange: Exchange): Breach => ({
  expected: 'indentation by two spaces and a newline at the end',
  actual: 'a different layout',
  exchange,
})

export default rules({
  'envelope.resource-in-content': wrapsIn('content', isObject, onResource),
  'envelope.list-in-results': [
    ...wrapsIn('results', isArray, onPage),
    always(keepsFields, { at: both(onApi, enveloped, onPage), label: 'same fields' }),
  ],
  'envelope.array-in-results': wrapsIn('results', isArray, onArray),

  'envelope.error-in-content': forEach(
    errorKinds,
    (kind) => (kind === 'invalid' ? '' : kind),
    async (trial, kind) => {
      const exchange = await tryError(trial, kind, 'envelope')
      hasField(exchange, 'content', isObject)
      expectThat(stringAt(valueAt(bodyOf(exchange), '/content'), 'errorCode') !== undefined, {
        expected: 'an errorCode in content',
        actual: 'none',
        exchange,
        difference: missingErrorCode,
      })
      statusField(exchange, exchange.response.status)
    },
    { at: both(onApi, enveloped), phase: 'read' },
  ),

  'envelope.empty-success': always(
    async (trial) => {
      const exchange = await wrapped(trial)
      const { status } = exchange.response
      expectThat(status === 200, { expected: 'status 200', actual: `status ${status}`, exchange })
      const expected = { status: await plainStatus(trial), content: {} }
      const body = bodyOf(exchange)
      // Both the envelope and its content may have additional fields.
      const right = isObject(body) && body.status === expected.status && isObject(body.content)
      expectThat(right, { expected: JSON.stringify(expected), actual: JSON.stringify(body), exchange })
    },
    { at: both(onApi, enveloped, onEmpty) },
  ),

  'envelope.status-member': always(
    async (trial) => {
      const { hasContent } = trial.cell.row
      const exchange = await wrapped(trial)
      // The specification doesn't say whether a response without a body has an envelope, so that is our decision.
      if (!hasContent && exchange.response.body === '') throw new Untestable('an envelope without a resource')
      statusField(exchange, await plainStatus(trial), hasContent ? 'stated' : 'decided')
    },
    { at: both(onApi, enveloped) },
  ),

  'envelope.status-kept': [
    always(
      async (trial) => {
        const exchange = await wrapped(trial)
        const { status } = exchange.response
        const expected = trial.cell.row.hasContent ? await plainStatus(trial) : 200
        expectThat(status === expected, {
          expected: `status ${expected}`,
          actual: describeResponse(exchange),
          exchange,
        })
      },
      { at: both(onApi, enveloped), label: 'success' },
    ),
    forEach(
      () => ['unauthorized', 'invalid'] as const,
      (kind) => kind,
      async (trial, kind) => {
        const changes = kind === 'unauthorized' ? { as: anonymous } : {}
        const query = kind === 'invalid' ? ([['noSuchParameter', '1']] as const) : []
        const plain = await trial.try({ ...changes, query })
        const exchange = await trial.try({ ...changes, query: [['envelope', 'true'], ...query] })
        const [expected, actual] = [plain.response.status, exchange.response.status]
        expectThat(actual === expected, {
          expected: `status ${expected}, the same as without an envelope`,
          actual: `status ${actual}`,
          exchange,
        })
      },
      { at: both(onApi, enveloped), phase: 'read' },
    ),
  ],

  'envelope.default-false': forEach(
    () => ['', 'false'] as const,
    (value) => (value === '' ? 'absent' : value),
    async (trial, value) =>
      notWrapped(trial, await trial.try({ query: value === '' ? [] : [['envelope', value]] })),
    { at: both(onApi, enveloped) },
  ),

  'envelope.boolean-only': booleanOnly('envelope'),
  'pretty.boolean-only': booleanOnly('pretty'),

  'pretty.indents': [
    always(
      async (trial) => {
        const exchange = await trial.try({ query: [['pretty', 'true']] })
        expectServed(exchange)
        expectIndented(exchange)
      },
      { at: both(onApi, prettyAt) },
    ),
    combined('pretty', (_, exchange) => expectIndented(exchange), prettyAt),
    forEach(
      errorKinds,
      (kind) => (kind === 'invalid' ? 'error' : `error, ${kind}`),
      async (trial, kind) => {
        const exchange = await tryError(trial, kind, 'pretty')
        bodyOf(exchange)
        expectThat(overLines(exchange), {
          expected: 'an indented error',
          actual: 'a different layout',
          exchange,
          strength: 'decided',
        })
      },
      { at: both(onApi, hasPretty), phase: 'read' },
    ),
  ],

  'pretty.two-spaces': [
    always(
      async (trial) => {
        const exchange = await trial.try({ query: [['pretty', 'true']] })
        expectServed(exchange)
        bodyOf(exchange)
        expectThat(indented(exchange), twoSpaces(exchange))
      },
      { at: both(onApi, prettyAt) },
    ),
    always(
      async (trial) => {
        const exchange = await tryError(trial, 'invalid', 'pretty')
        bodyOf(exchange)
        expectThat(indented(exchange), twoSpaces(exchange))
      },
      { at: both(onApi, hasPretty), phase: 'read', label: 'error' },
    ),
  ],

  'pretty.default-false': forEach(
    () => ['', 'false'] as const,
    (value) => (value === '' ? 'absent' : value),
    async (trial, value) => {
      const exchange = await trial.try({ query: value === '' ? [] : [['pretty', value]] })
      expectServed(exchange)
      bodyOf(exchange)
      expectThat(!hasIndentedLine(exchange), {
        expected: 'a body without indentation',
        actual: 'an indented body',
        exchange,
      })
    },
    { at: both(onApi, prettyAt) },
  ),

  'pretty.undocumented-has-no-effect': always(
    async (trial) => {
      const exchange = await trial.try({ query: [['pretty', 'true']] })
      expectServed(exchange)
    },
    { at: both(onApi, ({ operation }) => !operation.pretty || 'the operation has pretty') },
  ),
})
