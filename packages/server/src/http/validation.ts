import type { ErrorObject } from 'ajv/dist/2020.js'
import { pointerPart, truncatedPointer } from '../domain/json-pointer.ts'
import { problem } from '../domain/problem.ts'
import { faultWords } from './fault-words.ts'
import { type QueryFault, queryRefusal, shownName } from './query-string.ts'
import type { InputSchema, InputSchemas } from './schemas.ts'

/** How many faults one answer names. */
const faultLimit = 20

/** @throws {Problem} `VALIDATION_ERROR` naming the parameters that do not fit. */
export function checkPath(schemas: InputSchemas, values: Readonly<Record<string, string>>): void {
  if (!schemas.path.fits(values)) throw refusal('The path parameter', schemas.path, values, parameterOf)
}

/**
 * Turns the texts of a query into values, strictly by schema, and checks them.
 *
 * @throws {Problem} `VALIDATION_ERROR` naming the parameters that do not fit.
 */
export function checkQuery(
  schemas: InputSchemas,
  texts: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const faults: QueryFault[] = []
  for (const [name, text] of texts) {
    const type = schemas.queryTypes.get(name)
    // 'pretty' is undocumented on a few operations; sent all the same, it has no effect.
    if (type === undefined && name === 'pretty') faults.push(...faultOfBoolean(name, text))
    else if (type === undefined) faults.push(unknownParameter(name))
    else values[name] = convert(type, text)
  }
  if (faults.length > 0) throw queryRefusal(faults)
  if (!schemas.query.fits(values)) throw refusal('The query parameter', schemas.query, values, parameterOf)
  return values
}

/** @throws {Problem} `VALIDATION_ERROR` with pointers to what does not fit. */
export function checkBody(schema: InputSchema, body: unknown): void {
  if (!schema.fits(body)) throw refusal('The member', schema, body, pointerOf)
}

/** Text that is not exactly of the type stays text, which the schema then refuses. */
function convert(type: string, text: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'integer') return /^-?(?:0|[1-9]\d*)$/.test(text) ? finite(Number(text)) : text
  return text
}

/** An integer of however many digits is one, and out of bounds. */
const finite = (value: number): number => Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE)

const faultOfBoolean = (name: string, text: string): QueryFault[] =>
  text === 'true' || text === 'false' ? [] : [[name, `The query parameter ${name} must be true or false.`]]

const unknownParameter = (name: string): QueryFault => [
  name,
  `The operation has no query parameter ${shownName(name)}.`,
]

function refusal(what: string, schema: InputSchema, value: unknown, nameOf: (error: ErrorObject) => string) {
  const faults = new Map<string, ErrorObject[]>()
  for (const error of ofWhatIsMeant(schema.faultsOf(value))) {
    if (error.keyword === 'anyOf' || (error.keyword === 'not' && !refusesPattern(error))) continue
    const name = nameOf(error)
    const told = truncatedPointer(name)
    const known = faults.get(told)
    if (known) known.push(error)
    else if (faults.size < faultLimit) faults.set(told, [error])
  }
  const whyAt = (told: string, errors: readonly ErrorObject[]): string =>
    errors.some((error) => nameOf(error) === told)
      ? whyOf(errors)
      : 'holds a member at fault whose name is too long to tell'
  const sentences = [...faults].map(
    ([told, errors]) =>
      `${told === '' ? 'The body' : `${what} ${beginningOf(told)}`} ${whyAt(told, errors)}.`,
  )
  return problem('VALIDATION_ERROR', {
    detail: (sentences.join(' ') || 'The input does not fit its schema.').slice(0, 4000),
    parameters: [...faults.keys()],
  })
}

/**
 * The faults without those that only say which alternative a value is not of: where it lacks a member of one and has
 * faults as another, it is that other.
 */
function ofWhatIsMeant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const places = errors.filter(isChoice).map(({ instancePath }) => instancePath)
  return errors.filter(({ keyword, instancePath }) => {
    if (keyword !== 'required' || !places.includes(instancePath)) return true
    const isWithin = (error: ErrorObject) => error.instancePath.startsWith(`${instancePath}/`)
    return !errors.some((error) => isWithin(error))
  })
}

/** A choice among named shapes; others tell the cases of a discriminator apart. */
const isChoice = ({ keyword, schema }: ErrorObject): boolean =>
  keyword === 'anyOf' &&
  Array.isArray(schema) &&
  schema.every((alternative) => typeof alternative === 'object' && '$ref' in Object(alternative))

/** Enough of a pointer for a sentence: the whole of it stands in `parameters`. */
const beginningOf = (name: string): string => (name.length > 300 ? `${name.slice(0, 300)}…` : name)

/**
 * The first of the faults of a value tells enough, but for two: what is too short for its format is told that, and what
 * may be of several types all of them.
 */
function whyOf(errors: readonly ErrorObject[]): string {
  const [begin] = errors
  const format = errors.find(({ keyword }) => keyword === 'format')
  const first = begin?.keyword === 'minLength' ? (format ?? begin) : begin
  if (first?.keyword !== 'type') return first ? faultWords(first) : ''
  const types = errors.flatMap(({ keyword, params }) => (keyword === 'type' ? params.type : []))
  return faultWords({ ...first, params: { type: [...new Set(types)] } })
}

/** The other uses of `not` tell the cases of a choice apart. */
const refusesPattern = ({ schema }: ErrorObject): boolean =>
  typeof schema === 'object' && schema !== null && 'pattern' in schema

const parameterOf = (error: ErrorObject): string => pointerOf(error).slice(1)

/** The member that is at fault, also where the error is reported on the object around it. */
function pointerOf({ keyword, params, instancePath }: ErrorObject): string {
  const field: unknown = keyword === 'required' ? params.missingProperty : params.additionalProperty
  if (typeof field !== 'string') return instancePath
  return instancePath + pointerPart(field)
}
