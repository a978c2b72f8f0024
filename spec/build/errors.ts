import { STATUS_CODES } from 'node:http'
import type { ErrorCodeFact, Facts, Failure, OpenApiDocument, Response, VersionFact } from '../src/model.ts'
import { errorBody } from './examples.ts'
import { type OperationPlace, operationsOf } from './walk.ts'

/** The error codes that an operation can answer with, from the catalogue's `appliesTo` and the operation's own. */
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
 * Attaches the error answers to every operation. They are the same for all, so they stand in the catalogue and not
 * in each path file; an operation with codes or an example of its own gets its own answer.
 */
export function attachErrors(document: OpenApiDocument, version: VersionFact, all: Facts): void {
  const facts = toldIn(version.generation, all)
  const pathParameters = new Set(
    Object.entries(document.components.parameters)
      .filter(([, parameter]) => parameter.in === 'path')
      .map(([name]) => `#/components/parameters/${name}`),
  )
  for (const place of operationsOf(document)) {
    const { operation } = place
    if (!operation['x-roles']) continue
    const codes = errorCodesOf(place, version.generation, facts, pathParameters)
    const failure = operation['x-failure']
    if (failure && !codes.includes(failure.code))
      throw new Error(
        `${operation.operationId} shows the failure ${failure.code}, which it cannot answer with.`,
      )
    operation['x-errors'] = codes
    for (const [status, ofStatus] of byStatus(codes, facts))
      operation.responses[status] = answer(document, status, ofStatus, place, facts)
  }
}

/** The facts with the texts that a generation has for its errors. */
function toldIn(generation: string, facts: Facts): Facts {
  const told = Object.entries(facts.errorCodes).map(([code, fact]) => [
    code,
    { ...fact, detail: fact.detailIn?.[generation] ?? fact.detail },
  ])
  return { ...facts, errorCodes: Object.fromEntries(told) }
}

function byStatus(codes: string[], facts: Facts): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const code of codes) {
    const status = String(facts.errorCodes[code]?.status)
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return groups
}

/** Names of the parameters in the template of a path. */
const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function answer(
  document: OpenApiDocument,
  status: string,
  codes: string[],
  { operation, path }: OperationPlace,
  facts: Facts,
): Response {
  const failure = operation['x-failure']
  const shown = failure && codes.includes(failure.code) ? failure : undefined
  if (shown || codes.some((code) => facts.errorCodes[code]?.appliesTo === 'declared'))
    return response(codes, facts, shown, namesIn(path))
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

/** Codes that the source only shows: they stand among the examples of their status, and no answer names them. */
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
