import { limits, type RequirementId } from '@svc-admin/types'
import type { Parameter } from '../../src/document/document.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../src/document/json.ts'
import { type Mutation, mutationsOf } from '../../src/document/mutations.ts'
import { flatten } from '../../src/document/probes.ts'
import { boundByMoreThanSchema } from '../../src/given/given.ts'
import { type Cell, ignoredFieldsOf } from '../../src/model/api.ts'
import {
  errorResponse,
  insteadOf,
  isSuccess,
  type MutantInput,
  mapJson,
  onResponse,
  perCell,
  queryOf,
  unlessPretty,
  withQuery,
} from '../mutant.ts'
import type { ProxiedRequest, Response } from '../proxy.ts'

const isApi = ({ operation }: Cell): boolean => operation.security === 'api'

const queryParameters = ({ definition }: Cell): Parameter[] =>
  definition.parameters.filter((one) => one.in === 'query')

const invalid = errorResponse(400, 'VALIDATION_ERROR', 'Bad Request')

/** Maps each kind of lenient integer parser to a pattern for the invalid values that it accepts. */
const lazyIntegers: Readonly<Record<string, RegExp>> = {
  'whole part of a fraction': /^-?\d+\.\d+$/,
  exponent: /^-?\d+e\d+$/i,
  'other base': /^0x[\da-f]+$/i,
  'empty as 0': /^$/,
  'space around': /^\s+\d+$/,
  'digits without end': /^\d{20,}$/,
}

/**
 * Returns a parameter's constraints. Each constraint has a function that tests whether a value violates the constraint.
 */
const constraintsOf = (
  cell: Cell,
  parameter: Parameter,
): { what: string; breaks: (value: string) => boolean }[] => {
  const schema = flatten(cell.version.document, parameter.schema)
  const { type, minimum, maximum, maxLength, minLength } = schema
  const found: { what: string; breaks: (value: string) => boolean }[] = []
  if (type === 'integer') {
    found.push({ what: 'type', breaks: (value) => !/^-?\d+$/.test(value) })
    for (const [what, form] of Object.entries(lazyIntegers))
      found.push({ what, breaks: (value) => form.test(value) })
  }
  if (type === 'boolean')
    found.push({ what: 'type', breaks: (value) => value !== 'true' && value !== 'false' })
  if (typeof minimum === 'number') found.push({ what: 'minimum', breaks: (value) => Number(value) < minimum })
  if (typeof maximum === 'number') found.push({ what: 'maximum', breaks: (value) => Number(value) > maximum })
  if (typeof maxLength === 'number')
    found.push({ what: 'maxLength', breaks: (value) => value.length > maxLength })
  if (typeof minLength === 'number' && minLength > 0)
    found.push({ what: 'minLength', breaks: (value) => value.length < minLength })
  const choices = schema.enum
  if (Array.isArray(choices)) {
    const isChoice = (value: string): boolean => choices.includes(value)
    found.push({ what: 'enum', breaks: (value) => !isChoice(value) })
    found.push({
      what: 'case of enum',
      breaks: (value) => !isChoice(value) && (isChoice(value.toUpperCase()) || isChoice(value.toLowerCase())),
    })
  }
  if (schema.pattern !== undefined || schema.format === 'ipv4')
    found.push({
      what: 'format',
      breaks: (value) => cell.version.validator.check(parameter.schema.pointer, value).length > 0,
    })
  return found
}

const hintsFor = (name: string): RequirementId[] => {
  if (name === 'envelope') return ['envelope.boolean-only']
  if (name === 'pretty') return ['pretty.boolean-only']
  return ['parameters.constraints-enforced']
}

const notEnforced = (cell: Cell): MutantInput[] =>
  queryParameters(cell).flatMap((parameter) =>
    constraintsOf(cell, parameter).map(({ what, breaks }) => ({
      what: `${parameter.name} ${what} not enforced`,
      hints: hintsFor(parameter.name),
      make: insteadOf(
        ({ status }, request) => status === 400 && queryOf(request).getAll(parameter.name).some(breaks),
        (request) => withQuery(request, (query) => query.delete(parameter.name)),
      ),
    })),
  )

const boundRefused = (cell: Cell): MutantInput[] =>
  queryParameters(cell).flatMap((parameter) => {
    const { minimum, maximum } = flatten(cell.version.document, parameter.schema)
    return [minimum, maximum].flatMap((bound) =>
      typeof bound === 'number'
        ? [
            {
              what: `${parameter.name} ${bound} rejected`,
              hints: ['parameters.bounds-accepted' as const],
              make: onResponse(
                (response, request) =>
                  isSuccess(response) && queryOf(request).get(parameter.name) === String(bound),
                () => invalid,
              ),
            },
          ]
        : [],
    )
  })

const refusedFlags = (cell: Cell): MutantInput[] =>
  queryParameters(cell)
    .filter(({ schema }) => schema.value.type === 'boolean')
    .map(({ name }) => ({
      what: `${name}=true rejected`,
      hints: ['parameters.bounds-accepted' as const],
      make: onResponse(
        (response, request) => isSuccess(response) && queryOf(request).get(name) === 'true',
        () => invalid,
      ),
    }))

const unknownTaken = (cell: Cell): MutantInput => ({
  what: 'unknown parameter taken',
  hints: ['parameters.unknown-refused'],
  make: insteadOf(
    ({ status }, request) =>
      status === 400 &&
      [...queryOf(request).keys()].some((name) => !cell.operation.queryParameters.includes(name)),
    (request) =>
      withQuery(request, (query) => {
        for (const name of [...query.keys()])
          if (!cell.operation.queryParameters.includes(name)) query.delete(name)
      }),
  ),
})

const misnamed = (response: Response): Response =>
  mapJson(response, (body) => (isObject(body) ? { ...body, parameters: ['other'] } : body))

const unknownUnnamed = (cell: Cell): MutantInput => ({
  what: 'unknown parameter not named',
  hints: ['parameters.unknown-refused'],
  make: unlessPretty(
    onResponse(
      ({ status }, request) =>
        status === 400 &&
        [...queryOf(request).keys()].some((name) => !cell.operation.queryParameters.includes(name)),
      misnamed,
    ),
  ),
})

/** Makes the server ignore a constraint on a query parameter, or enforce it too strictly. */
export const queryInput = perCell('query', (cell) =>
  isApi(cell)
    ? [
        ...notEnforced(cell),
        ...boundRefused(cell),
        ...refusedFlags(cell),
        unknownTaken(cell),
        unknownUnnamed(cell),
      ]
    : [],
)

const bodyIn = (request: ProxiedRequest): Json | undefined =>
  request.body === undefined ? undefined : parseJson(request.body)

const sameBody = (request: ProxiedRequest, body: Json): boolean =>
  JSON.stringify(bodyIn(request)) === JSON.stringify(body)

const isOurs = ({ kind, strength }: Mutation): boolean =>
  kind === 'constraint' && (strength === 'decided' || strength === 'open')

const bodyHints = {
  constraint: 'bodies.constraints-enforced',
  missing: 'bodies.required-members',
  unknown: 'bodies.unknown-member-refused',
} as const

const mutationsIn = ({ definition: { body }, version }: Cell): Mutation[] =>
  body === undefined
    ? []
    : [...mutationsOf(version.document, version.validator, body.schema, body.examples)(() => true)]

/** Makes errors for missing or unknown fields omit the field's name. */
const fieldUnnamed = (cell: Cell): MutantInput[] =>
  (['missing', 'unknown'] as const).flatMap((kind) => {
    const mutations = mutationsIn(cell).filter((mutation) => mutation.kind === kind)
    if (mutations.length === 0) return []
    return [
      {
        what: `${kind} field not named`,
        hints: [bodyHints[kind]],
        make: (tools) => {
          const bodies = new Set(mutations.map(({ body }) => JSON.stringify(tools.sent(body))))
          return onResponse(
            ({ status }, request) => status === 400 && bodies.has(JSON.stringify(bodyIn(request))),
            misnamed,
          )()
        },
      },
    ]
  })

const bodyMutations = (cell: Cell): MutantInput[] => {
  const tried = mutationsIn(cell).filter(
    ({ valid, at }) => !valid || !boundByMoreThanSchema.has(`${cell.operation.id}${at}`),
  )
  return tried.map(
    (mutation): MutantInput =>
      mutation.valid
        ? {
            what: `${mutation.label} rejected`,
            hints: ['bodies.bounds-accepted'],
            make: (tools) => {
              const body = tools.sent(mutation.body)
              return onResponse(
                (response, request) => isSuccess(response) && sameBody(request, body),
                () => invalid,
              )()
            },
          }
        : {
            what: `${mutation.label} taken`,
            hints: [isOurs(mutation) ? 'bodies.decided-bounds' : bodyHints[mutation.kind]],
            make: insteadOf(
              ({ status }, request, tools) => status === 400 && sameBody(request, tools.sent(mutation.body)),
              (request, tools) => tools.good(request, cell),
            ),
          },
  )
}

const fieldsIn = (request: ProxiedRequest): JsonObject => {
  const body = bodyIn(request)
  return isObject(body) ? body : {}
}

const refusing = (
  what: string,
  hint: RequirementId,
  concerns: (fields: JsonObject) => boolean,
): MutantInput => ({
  what,
  hints: [hint],
  make: onResponse(
    (response, request) => isSuccess(response) && concerns(fieldsIn(request)),
    () => invalid,
  ),
})

/** Makes the server reject or use the parts of a body that the operation must ignore. */
const ignoredParts = (cell: Cell): MutantInput[] => [
  ...ignoredFieldsOf(cell).map((name) =>
    refusing(`read-only ${name} refused`, 'bodies.read-only-ignored', (fields) => name in fields),
  ),
  ...(ignoredFieldsOf(cell).includes('id')
    ? [
        {
          what: 'read-only id stored',
          hints: ['bodies.read-only-ignored' as const],
          make: onResponse(
            (response, request) => isSuccess(response) && 'id' in fieldsIn(request),
            (response, request) =>
              mapJson(response, (body) =>
                isObject(body) ? { ...body, id: fieldsIn(request).id ?? null } : body,
              ),
          ),
        },
      ]
    : []),
  refusing('null refused', 'bodies.null-is-absent', (fields) => Object.values(fields).includes(null)),
]

const isJson = (request: ProxiedRequest): boolean => bodyIn(request) !== undefined

const bytesOf = ({ body = '' }: ProxiedRequest): number => Buffer.byteLength(body)

/** The kinds of empty bodies. A missing body counts as empty. */
const noBodies: Readonly<Record<string, (body: string) => boolean>> = {
  empty: (body) => body === '',
  blank: (body) => body !== '' && body.trim() === '',
}

const wholeBody = (cell: Cell): MutantInput[] => [
  {
    what: 'no JSON taken',
    hints: ['bodies.invalid-json'],
    make: insteadOf(
      ({ status }, request) => status === 400 && !isJson(request) && bytesOf(request) > 0,
      (request, tools) => tools.good(request, cell),
    ),
  },
  {
    what: 'no JSON is VALIDATION_ERROR',
    hints: ['bodies.invalid-json'],
    make: onResponse(
      ({ body }) => body.includes('INVALID_JSON'),
      () => invalid,
    ),
  },
  ...Object.entries(noBodies).map(
    ([what, isSo]): MutantInput => ({
      what: `${what} taken`,
      hints: ['bodies.empty-refused'],
      make: insteadOf(
        ({ status }, { body = '' }) => status === 400 && isSo(body),
        (request, tools) => tools.good(request, cell),
      ),
    }),
  ),
  {
    what: 'too large taken',
    hints: ['bodies.too-large'],
    make: insteadOf(
      ({ status }) => status === 413,
      (request, tools) => tools.good(request, cell),
    ),
  },
  {
    what: 'a little too large taken',
    hints: ['bodies.too-large'],
    make: insteadOf(
      ({ status }, request) => status === 413 && bytesOf(request) < limits.body.bytes + 100,
      (request, tools) => tools.good(request, cell),
    ),
  },
  {
    what: 'largest rejected',
    hints: ['bodies.bounds-accepted'],
    make: onResponse(
      (response, request) => isSuccess(response) && bytesOf(request) === limits.body.bytes,
      () => errorResponse(413, 'PAYLOAD_TOO_LARGE', 'Payload Too Large'),
    ),
  },
  {
    what: 'fault is 422',
    hints: ['errors.validation'],
    make: onResponse(
      ({ status }) => status === 400,
      () => errorResponse(422, 'VALIDATION_ERROR', 'Unprocessable Entity'),
    ),
  },
  {
    what: 'list taken',
    hints: ['errors.validation'],
    make: insteadOf(
      ({ status }, request) => status === 400 && !isObject(bodyIn(request)) && isJson(request),
      (request, tools) => tools.good(request, cell),
    ),
  },
]

/** Makes the server ignore a constraint on a body, or enforce it too strictly. */
export const bodyInput = perCell('body', (cell) =>
  isApi(cell) && cell.row.hasBody
    ? [...bodyMutations(cell), ...fieldUnnamed(cell), ...ignoredParts(cell), ...wholeBody(cell)]
    : [],
)
