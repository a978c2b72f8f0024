import { type OperationRow, operations, versions } from '@svc-admin/types'
import { isObject, listAt } from '../../document/json.ts'
import type { Cell } from '../../engine/api.ts'
import type { CallChanges } from '../../engine/call.ts'
import { bodyOf, expectError, expectRefusal, expectThat } from '../../engine/expect.ts'
import { always, both, forEach, inScope, onApi, onOneGeneration, rules } from '../../engine/rule.ts'
import { NotApplicable } from '../../engine/signals.ts'
import type { Trial } from '../../engine/trial.ts'
import { anonymous } from '../../http/authorization.ts'
import { headerValue } from '../../http/exchange.ts'
import { anyAuthorizationOf } from '../../world/holders.ts'

/** Nothing gets past these, so they are tried along with what only reads. */
const refusals = { at: onApi, phase: 'read' } as const

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const

/** Methods that the path of a cell offers in the generation. */
const offered = ({ operation, version }: Cell): string[] =>
  Object.values(operations)
    .filter(
      (other: OperationRow) =>
        other.path === operation.path &&
        versions.some(({ id, generation }) => generation === version.generation && id in other.versions),
    )
    .map(({ method }) => method)

/** Every method that the path does not offer. HEAD and OPTIONS are left to the server. */
const notOffered = (cell: Cell): string[] => methods.filter((method) => !offered(cell).includes(method))

/** A path parameter with a pattern, so that a value can break it. */
const patterned = ({ definition }: Cell) =>
  definition.parameters.filter(
    ({ in: where, schema }) => where === 'path' && schema.value.pattern !== undefined,
  )

type Fault = 'path' | 'query' | 'body'

const faultsOf = (cell: Cell): Fault[] => [
  ...(patterned(cell).length > 0 ? (['path'] as const) : []),
  'query',
  ...(cell.row.hasBody ? (['body'] as const) : []),
]

const breaking = (cell: Cell, fault: Fault): CallChanges => {
  if (fault === 'query') return { query: [['envelope', 'neither']] }
  if (fault === 'body') return { body: cell.definition.body?.schema.value.type === 'array' ? {} : [] }
  const [parameter] = patterned(cell)
  return { parameters: { [parameter?.name ?? '']: '!' } }
}

interface Clash {
  readonly label: string
  readonly code:
    | 'RESOURCE_NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'UNAUTHORIZED'
    | 'NOT_ACCEPTABLE'
    | 'VALIDATION_ERROR'
  readonly changes: (trial: Trial) => CallChanges
  readonly at?: (cell: Cell) => boolean
}

const isV2 = ({ version }: Cell): boolean => version.generation === 'v2'

const stranger = ({ world }: Trial) =>
  anyAuthorizationOf(world.target.others?.noRole, 'somebody without a role')

const hasPattern = (cell: Cell): boolean => patterned(cell).length > 0

/** Two faults at once: the check that comes first answers. */
const clashes: readonly Clash[] = [
  {
    label: 'unknown path before authentication',
    code: 'RESOURCE_NOT_FOUND',
    changes: ({ cell }) => ({ rawPath: `${cell.version.prefix}/noSuchPath`, as: anonymous, offRoute: true }),
  },
  {
    label: 'method before authentication',
    code: 'METHOD_NOT_ALLOWED',
    changes: ({ cell }) => ({ method: notOffered(cell)[0] ?? 'PUT', as: anonymous, offRoute: true }),
  },
  {
    label: 'authentication before version',
    code: 'UNAUTHORIZED',
    changes: () => ({ as: anonymous, accept: 'text/plain' }),
  },
  {
    label: 'authentication before path format',
    code: 'UNAUTHORIZED',
    changes: ({ cell }) => ({ ...breaking(cell, 'path'), as: anonymous }),
    at: hasPattern,
  },
  {
    label: 'authentication before query',
    code: 'UNAUTHORIZED',
    changes: () => ({ as: anonymous, query: [['noSuchParameter', '1']] }),
  },
  {
    label: 'version before path format',
    code: 'NOT_ACCEPTABLE',
    changes: ({ cell }) => ({ ...breaking(cell, 'path'), accept: 'text/plain' }),
    at: hasPattern,
  },
  {
    label: 'version before query',
    code: 'NOT_ACCEPTABLE',
    changes: () => ({ accept: 'text/plain', query: [['noSuchParameter', '1']] }),
    at: isV2,
  },
  {
    label: 'path format before role',
    code: 'VALIDATION_ERROR',
    changes: (trial) => ({ ...breaking(trial.cell, 'path'), as: stranger(trial) }),
    at: hasPattern,
  },
  {
    label: 'role before query',
    code: 'RESOURCE_NOT_FOUND',
    changes: (trial) => ({ as: stranger(trial), query: [['noSuchParameter', '1']] }),
    at: (cell) => inScope(cell) === true,
  },
  {
    label: 'query before resource',
    code: 'VALIDATION_ERROR',
    changes: ({ cell, random }) => ({
      parameters: { [cell.operation.pathParameters.at(-1) ?? '']: random.hex(24) },
      query: [['noSuchParameter', '1']],
    }),
    at: ({ operation }) => operation.pathParameters.length > 1,
  },
]

export default rules({
  'errors.validation': forEach(
    faultsOf,
    (fault) => fault,
    async (trial, fault) => {
      const exchange = await trial.try(breaking(trial.cell, fault))
      // That nothing but true and false is a boolean of the query is decided.
      const strength = fault === 'query' ? 'decided' : 'stated'
      expectRefusal(exchange, 'VALIDATION_ERROR', `the ${fault} does not fit its schema`, strength)
    },
    refusals,
  ),

  'errors.validation-code': forEach(
    faultsOf,
    (fault) => fault,
    async (trial, fault) => {
      const exchange = await trial.try(breaking(trial.cell, fault))
      expectError(exchange, 'VALIDATION_ERROR', `the ${fault} does not fit its schema`)
    },
    refusals,
  ),

  'errors.parameters-name-the-fault': forEach(
    faultsOf,
    (fault) => fault,
    async (trial, fault) => {
      const exchange = await trial.try(breaking(trial.cell, fault))
      const names = { query: 'envelope', path: patterned(trial.cell)[0]?.name ?? '', body: '' }
      const parameters = listAt(bodyOf(exchange), 'parameters')
      // The root of a body is the empty pointer (RFC 6901 §5).
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
      expectError(exchange, 'METHOD_NOT_ALLOWED', `the path offers ${offered(trial.cell).join(', ')}`)
    },
    refusals,
  ),

  'errors.method-not-allowed-carries-allow': forEach(
    (cell) => notOffered(cell).slice(0, 1),
    (method) => method,
    async (trial, method) => {
      const exchange = await trial.try({ method, offRoute: true, rawBody: null })
      if (exchange.response.status !== 405) throw new NotApplicable('the answer is no 405')
      const allow = headerValue(exchange.response.headers, 'Allow') ?? ''
      const actual = allow.split(',').map((one) => one.trim().toUpperCase())
      const expected = offered(trial.cell)
      const right = expected.every((one) => actual.includes(one)) && !actual.includes(method)
      expectThat(right, { expected: `Allow: ${expected.join(', ')}`, actual: `Allow: ${allow}`, exchange })
    },
    refusals,
  ),

  'errors.unknown-path': forEach(
    () => ['/noSuchPath', '/groups/x/y/z/noSuchPath', '//', '/%00', '/groups/..%2f..%2fetc'] as const,
    (path) => path,
    async (trial, path) => {
      const exchange = await trial.try({ rawPath: trial.cell.version.prefix + path, offRoute: true })
      expectError(exchange, 'RESOURCE_NOT_FOUND', 'the path is not one of the API')
    },
    {
      at: ({ operation }) => operation.id === 'listMatcherFieldNames' || 'the same for every operation',
      phase: 'read',
    },
  ),

  'errors.order-of-checks': forEach(
    (cell) => clashes.filter(({ at }) => at?.(cell) ?? true),
    ({ label }) => label,
    async (trial, { code, changes, label }) => {
      expectError(await trial.try(changes(trial)), code, label)
    },
    refusals,
  ),

  'errors.success-status': always(
    async (trial) => {
      const exchange = await trial.try()
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
      const body = bodyOf(exchange)
      const things =
        isObject(body) && Array.isArray(body.results) ? [body, ...listAt(body, 'results')] : [body]
      for (const thing of things) {
        const rels = listAt(thing, 'links').map((link) => (isObject(link) ? link.rel : undefined))
        expectThat(rels.includes('self'), {
          expected: 'links with self',
          actual: JSON.stringify(rels),
          exchange,
        })
      }
    },
    {
      at: both(
        onApi,
        (cell) => cell.row.hasContent || 'no body',
        (cell) => carriesLinks(cell) || 'no resource with links',
      ),
    },
  ),

  'resources.timestamps-utc': always(
    async (trial) => {
      const exchange = await trial.try()
      for (const text of exchange.response.body.match(/"\d{4}-\d\d-\d\dT[^"]*"/g) ?? []) {
        const right = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:00)"$/.test(text)
        expectThat(right, { expected: 'a timestamp in UTC', actual: text, exchange })
      }
    },
    { at: both(onApi, (cell) => cell.row.hasContent || 'no body') },
  ),

  'versions.absent-operation-not-found': always(
    async (trial) => {
      const other = trial.world.api.versions.find(
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

const carriesLinks = ({ definition, row }: Cell): boolean => {
  const place = definition.responses.get(row.success)?.content.get(row.mediaType)
  const properties = place?.value.properties
  return isObject(properties) && 'links' in properties
}
