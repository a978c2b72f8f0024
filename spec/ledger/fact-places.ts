import { operationsOf } from '../build/walk.ts'
import type { Sources } from '../lint/version-sources.ts'
import type { JsonPath } from '../rules/read/json.ts'
import type { OpenApiDocument } from '../src/model.ts'
import type { Problem } from './model.ts'

/**
 * The part of the operation object that contains each kind of fact. Kinds that aren't listed describe the whole
 * operation.
 */
const parts: Readonly<Record<string, JsonPath>> = {
  role: ['x-roles'],
  body: ['requestBody'],
  response: ['responses'],
}

/** The file that contains each kind of fact that isn't in a document. */
const files: Readonly<Record<string, string>> = {
  limit: 'facts/limits.yaml',
  error: 'facts/error-codes.yaml',
  'token-error': 'facts/token-errors.yaml',
  grant: 'facts/roles.yaml',
}

/** Adds the file and position of a fact to a problem, if the position is known. */
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

/**
 * Returns the location of a fact in a document. If the document doesn't contain the fact, returns the document's root.
 */
export function placeIn(document: OpenApiDocument, fact: string): JsonPath {
  const [kind = '', name = ''] = fact.split(':')
  const [owner = '', field] = name.split('.')
  if (kind === 'schema')
    return ['components', 'schemas', owner, ...(field === undefined ? [] : ['properties', field])]
  const found = [...operationsOf(document)].find(({ operation }) => operation.operationId === owner)
  return found ? ['paths', found.path, found.method, ...(parts[kind] ?? [])] : []
}
