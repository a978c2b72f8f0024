import { always, both, forEach, onApi, onOneGeneration, rules, withContent } from '../../check/rule.ts'
import {
  inspect,
  isArray,
  isObject,
  type JsonObject,
  jsonBody,
  listAt,
  objectAt,
  stringAt,
  textsIn,
} from '../../document/json.ts'
import { flatten } from '../../document/probes.ts'
import { isInUtc, isTimestamp, parseTimestamp } from '../../document/timestamp.ts'
import {
  invalidInputsOf,
  invalidInSeveralPlaces,
  notOffered,
  offered,
  patterned,
  withInvalidInput,
} from '../../given/invalid-input.ts'
import { type Exchange, headerValue } from '../../http/exchange.ts'
import { returnsLinks } from '../../judges/links.ts'
import type { Cell } from '../../model/api.ts'
import {
  bodyOf,
  expectError,
  expectRefusal,
  expectServed,
  expectThat,
  isSuccess,
} from '../../model/expect.ts'
import { NotApplicable } from '../../model/signals.ts'
import { inSeconds } from '../../resources/alerts.ts'
import { only } from '../../resources/successful-response.ts'

/** The requests are rejected and change nothing, so these checks run in the read phase. */
const refusals = { at: onApi, phase: 'read' } as const

const bodySchema = ({ definition, version }: Cell): JsonObject =>
  definition.body ? flatten(version.document, definition.body.schema) : {}

/** Returns the names of the body's fields that contain a timestamp. */
const timestampFields = (cell: Cell): string[] =>
  Object.entries(objectAt(bodySchema(cell), 'properties')).flatMap(([name, field]) => {
    const { document } = cell.version
    const target = stringAt(field, '$ref')?.slice(1)
    const schema = target === undefined ? field : document.follow(target).value
    return stringAt(schema, 'format') === 'date-time' ? [name] : []
  })

/** Formats the same time in a time zone that is two hours ahead of UTC. */
const withOffset = (utc: string): string =>
  new Date(Date.parse(utc) + 7_200_000).toISOString().replace(/(\.\d+)?Z$/, '+02:00')

const expectUtc = (exchange: Exchange): void => {
  for (const text of textsIn(jsonBody(exchange.response) ?? null).filter(isTimestamp))
    expectThat(isInUtc(text), { expected: 'a timestamp in UTC', actual: JSON.stringify(text), exchange })
}

export default rules({
  /** A judge checks the body of each error. This rule sends requests whose errors name several places. */
  'errors.body-fits-schema': forEach(
    invalidInSeveralPlaces,
    ({ label }) => label,
    async (trial, { changes }) => {
      const exchange = await trial.try(changes)
      expectRefusal(exchange, 'VALIDATION_ERROR', 'the input does not match its schema', 'decided')
    },
    refusals,
  ),

  'errors.validation': forEach(
    invalidInputsOf,
    (fault) => fault,
    async (trial, fault) => {
      const exchange = await trial.try(withInvalidInput(trial.cell, fault))
      // Rejecting query values other than `true` and `false` for booleans is our decision.
      const strength = fault === 'query' ? 'decided' : 'stated'
      expectRefusal(exchange, 'VALIDATION_ERROR', `the ${fault} does not match its schema`, strength)
    },
    refusals,
  ),

  'errors.validation-code': forEach(
    invalidInputsOf,
    (fault) => fault,
    async (trial, fault) => {
      const exchange = await trial.try(withInvalidInput(trial.cell, fault))
      expectError(exchange, 'VALIDATION_ERROR', `the ${fault} does not match its schema`)
    },
    refusals,
  ),

  'errors.parameters-name-the-fault': forEach(
    invalidInputsOf,
    (fault) => fault,
    async (trial, fault) => {
      const exchange = await trial.try(withInvalidInput(trial.cell, fault))
      const names = { query: 'envelope', path: patterned(trial.cell)[0]?.name ?? '', body: '' }
      const parameters = listAt(bodyOf(exchange), 'parameters')
      // An empty JSON Pointer is the root of the body (RFC 6901 §5).
      const named = parameters.includes(names[fault])
      expectThat(named, {
        expected: `parameters with ${JSON.stringify(names[fault])}`,
        actual: JSON.stringify(parameters),
        exchange,
      })
    },
    refusals,
  ),

  'errors.method-not-allowed': forEach(
    notOffered,
    (method) => method,
    async (trial, method) => {
      const exchange = await trial.try({ method, offRoute: true, rawBody: null })
      expectError(exchange, 'METHOD_NOT_ALLOWED', `the path only supports ${offered(trial.cell).join(', ')}`)
    },
    refusals,
  ),

  'errors.method-not-allowed-carries-allow': forEach(
    (cell) => notOffered(cell).slice(0, 1),
    (method) => method,
    async (trial, method) => {
      const exchange = await trial.try({ method, offRoute: true, rawBody: null })
      if (exchange.response.status !== 405) throw new NotApplicable('the response is not a 405')
      const allow = headerValue(exchange.response.headers, 'Allow') ?? ''
      const methods = allow.split(',').map((one) => one.trim().toUpperCase())
      const expected = offered(trial.cell)
      const right = expected.every((one) => methods.includes(one)) && !methods.includes(method)
      expectThat(right, { expected: `Allow: ${expected.join(', ')}`, actual: allow, exchange })
    },
    refusals,
  ),

  'errors.unknown-path': forEach(
    () => ['/noSuchPath', '/groups/x/y/z/noSuchPath', '//', '/%00', '/groups/..%2f..%2fetc'] as const,
    (path) => path,
    async (trial, path) => {
      const exchange = await trial.try({ rawPath: trial.cell.version.prefix + path, offRoute: true })
      expectError(exchange, 'RESOURCE_NOT_FOUND', 'the API has no such path')
    },
    {
      at: ({ operation }) =>
        operation.id === 'listMatcherFieldNames' ||
        'one operation is enough, because the behavior is the same for all operations',
      phase: 'read',
    },
  ),

  'errors.success-status': always(
    async (trial) => {
      const exchange = await trial.try()
      expectServed(exchange)
      const [expected, actual] = [trial.cell.row.success, exchange.response.status]
      expectThat(actual === expected, {
        expected: `status ${expected}`,
        actual: `status ${actual}`,
        exchange,
      })
    },
    { at: onApi },
  ),

  'resources.links-self': always(
    async (trial) => {
      const exchange = await trial.try()
      expectServed(exchange)
      const body = bodyOf(exchange)
      const resources = isArray(body) ? body : [body, ...listAt(body, 'results')]
      for (const one of resources) {
        const rels = listAt(one, 'links').map((link) => (isObject(link) ? link.rel : undefined))
        expectThat(rels.includes('self'), {
          expected: 'links that include self',
          actual: JSON.stringify(rels),
          exchange,
        })
      }
    },
    {
      at: both(onApi, withContent, (cell) => returnsLinks(cell) || 'no resource with links'),
    },
  ),

  'resources.timestamps-utc': [
    always(async (trial) => expectUtc(await trial.try()), { at: both(onApi, withContent) }),
    forEach(
      timestampFields,
      (name) => `${name} with an offset`,
      async (trial, name) => {
        const { body } = await trial.good()
        const needed = only(body, ...listAt(bodySchema(trial.cell), 'required').map(String))
        const until = await inSeconds(trial, 3600)
        const exchange = await trial.try({
          body: { ...(isObject(needed) && needed), [name]: withOffset(until) },
        })
        // A server may reject the offset.
        if (!isSuccess(exchange)) return
        expectUtc(exchange)
        const shown = stringAt(bodyOf(exchange), name)
        expectThat(shown === undefined || parseTimestamp(shown) === parseTimestamp(until), {
          expected: `${name} ${until}, the time that was sent`,
          actual: inspect(shown),
          exchange,
        })
      },
      {
        at: both(onApi, (cell) => timestampFields(cell).length > 0 || 'no timestamp in the request'),
      },
    ),
  ],

  'versions.absent-operation-not-found': always(
    async (trial) => {
      const other = trial.context.api.versions.find(
        ({ generation }) => generation !== trial.cell.version.generation,
      )
      if (other === undefined) throw new NotApplicable('there is one generation')
      const call = await trial.call()
      const path = other.prefix + call.path.slice(trial.cell.version.prefix.length)
      const exchange = await trial.send({ ...call, path, offRoute: true })
      const { status } = exchange.response
      expectThat(status === 404 || status === 405, {
        expected: '404 or 405',
        actual: `status ${status}`,
        exchange,
      })
    },
    { at: onOneGeneration },
  ),
})
