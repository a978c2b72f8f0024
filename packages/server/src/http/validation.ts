import type { ErrorObject } from 'ajv/dist/2020.js'
import { pointerPart, truncatedPointer } from '../domain/json-pointer.ts'
import { problem } from '../domain/problem.ts'
import { type QueryError, queryProblem, shownName } from './query-string.ts'
import type { InputSchema, InputSchemas } from './schemas.ts'
import { validationMessage } from './validation-message.ts'

/** The maximum number of errors in a response. */
const errorLimit = 20

/**
 * Validates path parameters.
 *
 * @throws {Problem} `VALIDATION_ERROR` with the names of the invalid parameters.
 */
export function checkPath(schemas: InputSchemas, values: Readonly<Record<string, string>>): void {
  if (!schemas.path.isValid(values))
    throw validationProblem('The path parameter', schemas.path, values, parameterOf)
}

/**
 * Converts query parameters to the types in their schemas and validates them.
 *
 * @throws {Problem} `VALIDATION_ERROR` with the names of the invalid parameters.
 */
export function checkQuery(
  schemas: InputSchemas,
  texts: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const errors: QueryError[] = []
  for (const [name, text] of texts) {
    const type = schemas.queryTypes.get(name)
    // If an operation doesn't document the `pretty` parameter, the server accepts but ignores it.
    if (type === undefined && name === 'pretty') errors.push(...checkBoolean(name, text))
    else if (type === undefined) errors.push(unknownParameter(name))
    else values[name] = convert(type, text)
  }
  if (errors.length > 0) throw queryProblem(errors)
  if (!schemas.query.isValid(values))
    throw validationProblem('The query parameter', schemas.query, values, parameterOf)
  return values
}

/**
 * Validates a body.
 *
 * @throws {Problem} `VALIDATION_ERROR` with JSON Pointers to the invalid fields.
 */
export function checkBody(schema: InputSchema, body: unknown): void {
  if (!schema.isValid(body)) throw validationProblem('The field', schema, body, pointerOf)
}

/** Converts a value to a type. If the conversion fails, the value remains a string and fails validation. */
function convert(type: string, text: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'integer') return /^-?(?:0|[1-9]\d*)$/.test(text) ? finite(Number(text)) : text
  return text
}

/**
 * Limits a number to the range of a double. Otherwise, a very long integer would become infinite. The error message
 * would then say that the number isn't an integer instead of that it is too large or too small.
 */
const finite = (value: number): number => Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE)

const checkBoolean = (name: string, text: string): QueryError[] =>
  text === 'true' || text === 'false' ? [] : [[name, `The query parameter ${name} must be true or false.`]]

const unknownParameter = (name: string): QueryError => [
  name,
  `The operation has no query parameter ${shownName(name)}.`,
]

function validationProblem(
  what: string,
  schema: InputSchema,
  value: unknown,
  nameOf: (error: ErrorObject) => string,
) {
  const errors = new Map<string, ErrorObject[]>()
  for (const error of relevantErrors(schema.errorsOf(value))) {
    if (error.keyword === 'anyOf' || (error.keyword === 'not' && !isPatternError(error))) continue
    const name = nameOf(error)
    const pointer = truncatedPointer(name)
    const known = errors.get(pointer)
    if (known) known.push(error)
    else if (errors.size < errorLimit) errors.set(pointer, [error])
  }
  const whyAt = (pointer: string, errors: readonly ErrorObject[]): string =>
    errors.some((error) => nameOf(error) === pointer)
      ? reasonOf(errors)
      : 'contains an invalid field whose name is too long to show'
  const sentences = [...errors].map(
    ([pointer, errors]) =>
      `${pointer === '' ? 'The body' : `${what} ${truncated(pointer)}`} ${whyAt(pointer, errors)}.`,
  )
  return problem('VALIDATION_ERROR', {
    detail: (sentences.join(' ') || 'The input does not match its schema.').slice(0, 4000),
    parameters: [...errors.keys()],
  })
}

/**
 * Removes errors about alternatives that the caller probably didn't intend. If some alternatives only lack a required
 * property, the caller probably intended an alternative that has errors in its fields.
 */
function relevantErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter(isChoice).map(({ instancePath }) => instancePath)
  return errors.filter(({ keyword, instancePath }) => {
    if (keyword !== 'required' || !choices.includes(instancePath)) return true
    const isWithin = (error: ErrorObject) => error.instancePath.startsWith(`${instancePath}/`)
    return !errors.some((error) => isWithin(error))
  })
}

/**
 * Returns whether an `anyOf` error comes from a choice between named schemas. Discriminators also produce `anyOf`
 * errors.
 */
const isChoice = ({ keyword, schema }: ErrorObject): boolean =>
  keyword === 'anyOf' &&
  Array.isArray(schema) &&
  schema.every((alternative) => typeof alternative === 'object' && '$ref' in Object(alternative))

/** Truncates a pointer for use in a sentence. `parameters` contains the complete pointer. */
const truncated = (name: string): string => (name.length > 300 ? `${name.slice(0, 300)}…` : name)

/**
 * Describes the first error in a value. If the value is too short for its format, describes the format instead. If
 * several types are allowed, lists all of them.
 */
function reasonOf(errors: readonly ErrorObject[]): string {
  const [begin] = errors
  const format = errors.find(({ keyword }) => keyword === 'format')
  const first = begin?.keyword === 'minLength' ? (format ?? begin) : begin
  if (first?.keyword !== 'type') return first ? validationMessage(first) : ''
  const types = errors.flatMap(({ keyword, params }) => (keyword === 'type' ? params.type : []))
  return validationMessage({ ...first, params: { type: [...new Set(types)] } })
}

/** Returns whether a `not` error comes from a pattern. Discriminators also produce `not` errors. */
const isPatternError = ({ schema }: ErrorObject): boolean =>
  typeof schema === 'object' && schema !== null && 'pattern' in schema

const parameterOf = (error: ErrorObject): string => pointerOf(error).slice(1)

/** Returns a pointer to the invalid property. Ajv reports some errors on the object that contains the property. */
function pointerOf({ keyword, params, instancePath }: ErrorObject): string {
  const field: unknown = keyword === 'required' ? params.missingProperty : params.additionalProperty
  if (typeof field !== 'string') return instancePath
  return instancePath + pointerPart(field)
}
