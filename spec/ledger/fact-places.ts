import { operationsOf } from '../build/walk.ts'
import type { Sources } from '../lint/version-sources.ts'
import type { JsonPath } from '../rules/read/json.ts'
import type { OpenApiDocument } from '../src/model.ts'
import type { Problem } from './model.ts'

/**
 * The part of an operation where a fact of each kind is located. Facts of all other kinds belong to the whole
 * operation.
 */
const parts: Readonly<Record<string, JsonPath>> = {
  role: ['x-roles'],
  body: ['requestBody'],
  response: ['responses'],
}

/** The files with facts that aren't in a document, by kind. */
const files: Readonly<Record<string, string>> = {
  limit: 'facts/limits.yaml',
  error: 'facts/error-codes.yaml',
  'token-error': 'facts/token-errors.yaml',
  grant: 'facts/roles.yaml',
}

/** Adds a source location to a problem, if the location of its fact is known. */
export function withSource(
  problem: Problem,
  sources: Sources,
  documentOf: (id: string) => OpenApiDocument,
): Problem {
  const { fact, document } = problem
  if (fact === undefined) return problem
  const source =
    document === undefined
      ? sourceOfFact(fact, sources)
      : sources.ofVersion(document, placeIn(documentOf(document), fact))
  return source === undefined ? problem : { ...problem, source }
}

function sourceOfFact(fact: string, sources: Sources): string | undefined {
  const [kind = '', name = ''] = fact.split(':')
  const file = files[kind]
  return file === undefined ? undefined : sources.ofFile(file, [name])
}

/** Returns a fact's location in a document, or the document's root if the document doesn't contain the fact. */
export function placeIn(document: OpenApiDocument, fact: string): JsonPath {
  const [kind = '', name = ''] = fact.split(':')
  const [owner = '', field] = name.split('.')
  if (kind === 'schema')
    return ['components', 'schemas', owner, ...(field === undefined ? [] : ['properties', field])]
  const found = [...operationsOf(document)].find(({ operation }) => operation.operationId === owner)
  return found ? ['paths', found.path, found.method, ...(parts[kind] ?? [])] : []
}
