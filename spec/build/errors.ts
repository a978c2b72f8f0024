import { STATUS_CODES } from 'node:http'
import { dateOfMediaType } from '../rules/read/words.ts'
import type {
  ErrorCodeFact,
  Facts,
  Failure,
  OpenApiDocument,
  Operation,
  Response,
  VersionFact,
} from '../src/model.ts'
import { errorBody } from './examples.ts'
import { type OperationPlace, operationsOf } from './walk.ts'

/**
 * Returns the error codes of an operation: its own codes, and the general codes that apply to it according to
 * `appliesTo`.
 */
function errorCodesOf(
  place: OperationPlace,
  generation: string,
  facts: Facts,
  pathParameters: Set<string>,
): string[] {
  const { operation, item } = place
  const hasBody = operation.requestBody !== undefined
  const isV2 = generation === 'v2'
  const applies: Record<string, boolean> = {
    every: true,
    role: !operation['x-roles']?.includes('ANY'),
    pathParameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].some(
      ({ in: place, $ref }) => place === 'path' || pathParameters.has($ref ?? ''),
    ),
    body: hasBody,
    v2: isV2,
    v2Body: isV2 && hasBody,
    sunset: operation['x-deprecation']?.sunset !== undefined,
  }
  return Object.entries(facts.errorCodes)
    .filter(([code, { appliesTo }]) => applies[appliesTo] ?? operation['x-errors']?.includes(code) ?? false)
    .map(([code]) => code)
}

/**
 * Adds the error responses to every operation. Most operations share these responses, so they are generated from the
 * facts instead of being repeated in path files. An operation that has its own error codes or examples gets its own
 * response.
 */
export function attachErrors(
  document: OpenApiDocument,
  version: VersionFact,
  all: Facts,
  dates: OperationDates = new Map(),
): void {
  const facts = factsFor(version.generation, all)
  const pathParameters = new Set(
    Object.entries(document.components.parameters)
      .filter(([, parameter]) => parameter.in === 'path')
      .map(([name]) => `#/components/parameters/${name}`),
  )
  for (const place of operationsOf(document)) {
    const { operation } = place
    if (!operation['x-roles']) continue
    const codes = errorCodesOf(place, version.generation, facts, pathParameters)
    operation['x-errors'] = codes
    for (const [status, ofStatus] of byStatus(codes, facts))
      operation.responses[status] = errorResponse(document, status, ofStatus, place, {
        facts,
        own: factsOf(operation, facts, dates),
      })
  }
}

/** Returns the facts with the error texts for the given generation. */
function factsFor(generation: string, facts: Facts): Facts {
  const told = Object.entries(facts.errorCodes).map(([code, fact]) => [
    code,
    { ...fact, detail: fact.detailIn?.[generation] ?? fact.detail },
  ])
  return { ...facts, errorCodes: Object.fromEntries(told) }
}

/** The dates of each operation's versions, by operation ID. */
export type OperationDates = ReadonlyMap<string, readonly string[]>

/**
 * Returns the facts with a `VERSION_MISMATCH` example that the operation can actually return. For example, most
 * operations have only one version, so a request can't contain another version's date.
 */
function factsOf({ operationId, requestBody }: Operation, facts: Facts, dates: OperationDates): Facts {
  const [mediaType = ''] = Object.keys(requestBody?.content ?? {})
  const own = dateOfMediaType(mediaType)
  const fact = facts.errorCodes.VERSION_MISMATCH
  if (own === undefined || !fact) return facts
  const other = dates.get(operationId)?.find((date) => date !== own)
  const sent = other === undefined ? 'no version' : `version ${other}`
  const detail = `Accept resolves to version ${own}, but Content-Type resolves to ${sent}.`
  return { ...facts, errorCodes: { ...facts.errorCodes, VERSION_MISMATCH: { ...fact, detail } } }
}

function byStatus(codes: string[], facts: Facts): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const code of codes) {
    const status = String(facts.errorCodes[code]?.status)
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return groups
}

/** Returns the names of the parameters in a path template. */
const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function errorResponse(
  document: OpenApiDocument,
  status: string,
  codes: string[],
  { operation, path }: OperationPlace,
  { facts, own }: { facts: Facts; own: Facts },
): Response {
  const failure = operation['x-failure']
  const shown = failure && codes.includes(failure.code) ? failure : undefined
  if (shown || codes.some((code) => facts.errorCodes[code]?.appliesTo === 'declared'))
    return response(codes, own, shown, namesIn(path))
  const reason = (STATUS_CODES[Number(status)] ?? status).replaceAll(/[^A-Za-z]/g, '')
  const name = status === '400' && operation.requestBody ? `${reason}Body` : reason
  document.components.responses[name] ??= response(codes, facts)
  return { $ref: `#/components/responses/${name}` }
}

function response(
  codes: string[],
  facts: Facts,
  failure?: Failure,
  inPath: readonly string[] = [],
): Response {
  const rows = codes.map((code) => ({ code, fact: facts.errorCodes[code] }))
  return {
    description: rows.map(({ fact }) => fact?.when).join(' '),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ApiError' },
        examples: Object.fromEntries(
          [...rows, ...raisedByNothing(rows[0]?.fact?.status, facts)].map(({ code, fact }) => {
            const shown =
              failure?.code === code
                ? failure
                : { code, detail: fact?.detail ?? '', ...parametersOf(fact, inPath) }
            return [code, { summary: code, value: errorBody(shown, facts) }]
          }),
        ),
      },
    },
    'x-error-codes': codes,
  }
}

/**
 * Returns error codes that the specification source mentions only in examples. The documents contain these examples,
 * but the codes aren't in the responses' lists of error codes.
 */
function raisedByNothing(status: number | undefined, facts: Facts) {
  return Object.entries(facts.errorCodes)
    .filter(([, fact]) => fact.appliesTo === 'none' && fact.status === status)
    .map(([code, fact]) => ({ code, fact }))
}

function parametersOf(fact: ErrorCodeFact | undefined, inPath: readonly string[]): { parameters?: string[] } {
  if (!fact?.parameters) return {}
  const { appliesTo, parameters } = fact
  const own = (name: string) => (inPath.includes(name) ? name : (inPath.at(-1) ?? name))
  return { parameters: appliesTo === 'declared' ? parameters.map(own) : parameters }
}
