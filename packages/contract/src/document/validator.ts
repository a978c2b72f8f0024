import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Document } from './document.ts'
import {
  escapeToken,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  stringAt,
  valueAt,
} from './json.ts'
import { isStrength, type Strength, weakest } from './strength.ts'

/** An error from validating a value against a schema. */
export interface SchemaError {
  /** The location of the invalid value, as a JSON Pointer. */
  readonly at: string
  readonly keyword: string
  readonly message: string
  /**
   * The strength of the violated fact: the nearest `x-strength` above the constraint in the document. A reference or an
   * `x-decided` keyword can lower this strength.
   */
  readonly strength: Strength | undefined
}

export interface Validator {
  /**
   * Returns a value's errors, or an empty array if the value is valid. The errors are cached, because several
   * judges validate the same value.
   */
  check(pointer: string, value: Json): readonly SchemaError[]
}

/** Converts a JSON Pointer to a URI fragment (RFC 6901 §6). The braces of path templates must be encoded. */
const fragment = (pointer: string): string => pointer.split('/').map(encodeURIComponent).join('/')

/** Facts about all schemas in a document. */
interface SchemaFacts {
  /** Each schema's strength. A schema without a strength has its parent's strength. */
  readonly strengths: WeakMap<object, Strength>
  /** Each schema's JSON Pointer. */
  readonly pointers: WeakMap<object, string>
}

/**
 * Collects facts about all schemas. This function traverses the whole document, so it is called only if a value is
 * invalid.
 */
const schemaFactsOf = (root: JsonObject): SchemaFacts => {
  const known: SchemaFacts = { strengths: new WeakMap(), pointers: new WeakMap() }
  const walk = (value: Json, pointer: string, inherited: Strength | undefined): void => {
    if (typeof value !== 'object' || value === null) return
    const own = stringAt(value, 'x-strength')
    const strength = isStrength(own) ? own : inherited
    if (strength) known.strengths.set(value, strength)
    known.pointers.set(value, pointer)
    for (const [name, field] of Object.entries(value))
      walk(field, `${pointer}/${escapeToken(name)}`, strength)
  }
  walk(root, '', undefined)
  return known
}

const isAlternative = (keyword: string): boolean => keyword === 'oneOf' || keyword === 'anyOf'

const describe = (error: ErrorObject): string => {
  if (isAlternative(error.keyword) && !error.params.passingSchemas) return 'matches none of the alternatives'
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = error.params
  const unknown: unknown = additionalProperty ?? unevaluatedProperty
  if (typeof unknown === 'string') return `must not have the field ${JSON.stringify(unknown)}`
  if (Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`
  if (allowedValue !== undefined) return `must be ${JSON.stringify(allowedValue)}`
  return error.message ?? error.keyword
}

/** Returns the violated schema. If a required field is missing, returns the field's schema. */
const brokenSchema = ({ parentSchema, params }: ErrorObject): object | undefined => {
  const missing: unknown = params.missingProperty
  const properties: unknown = parentSchema?.properties
  const field = typeof missing === 'string' && isObject(properties) ? properties[missing] : undefined
  return isObject(field) ? field : parentSchema
}

/** The specification never forbids unknown fields, so rejecting them is our decision. */
const closing: readonly string[] = ['additionalProperties', 'unevaluatedProperties']

const isDecided = ({ parentSchema, keyword }: ErrorObject): boolean =>
  closing.includes(keyword) || keyword in objectAt(parentSchema, 'x-decided')

/**
 * Returns whether the value is null and the specification lists the property without its type. If the property has
 * another value, such as a time, the type is stated in the referenced schema.
 */
const isUnstatedNull = ({ data }: ErrorObject, property: JsonObject | undefined): boolean =>
  data === null && 'type' in objectAt(property, 'x-decided')

/** Returns the schemas of all properties and items on the path to a value. The schemas can be references. */
const usesOf = (document: Document, pointer: string, at: string): JsonObject[] => {
  let place = document.follow(pointer)
  const uses: JsonObject[] = []
  for (const token of at.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const properties = place.value.properties
    const field = isObject(properties) && name in properties ? `properties/${token}` : 'items'
    const used = valueAt(place.value, `/${field}`)
    if (!isObject(used)) return uses
    uses.push(used)
    place = document.follow(`${place.pointer}/${field}`)
  }
  return uses
}

/** Returns the lowest strength of all references on the path to a value. A reference can be weaker than its target. */
const strengthOfUses = (uses: readonly JsonObject[]): Strength | undefined =>
  weakest(
    ...uses.map((used) => {
      const own = stringAt(used, 'x-strength')
      return used.$ref !== undefined && isStrength(own) ? own : undefined
    }),
  )

/**
 * Returns whether the error means that a value isn't an object. The value must be an object even if its fields are
 * unspecified.
 */
const isNoObject = ({ keyword, parentSchema, instancePath }: ErrorObject): boolean =>
  keyword === 'type' && parentSchema?.type === 'object' && !/\/\d+$/.test(instancePath)

const ranks: readonly (Strength | undefined)[] = ['open', 'decided', undefined, 'stated']

/** Returns the error that violates the strongest fact. The strongest error determines the verdict. */
export const strongest = (schemaErrors: readonly SchemaError[]): SchemaError | undefined =>
  [...schemaErrors].sort((one, other) => ranks.indexOf(other.strength) - ranks.indexOf(one.strength))[0]

/**
 * Returns the main error in the alternative that is most similar to the value. Returns `undefined` if the value matches
 * an alternative, or if its discriminator selects a different alternative.
 */
const nearestOf = (wrong: readonly (readonly SchemaError[])[]): SchemaError | undefined => {
  if (wrong.some((schemaErrors) => schemaErrors.length === 0)) return undefined
  const [nearest = []] = wrong
    .filter((schemaErrors) => schemaErrors.every(({ keyword }) => keyword !== 'const' && keyword !== 'not'))
    .sort((one, other) => one.length - other.length)
  return strongest(nearest)
}

/** The number of an array's elements that are validated completely. */
const maxElements = 2000

const hasMore = (value: Json): boolean => {
  let elements = 0
  const within: Json[] = [value]
  // The loop also visits elements that are added to the list while it runs.
  for (const one of within) {
    if (typeof one !== 'object' || one === null) continue
    if (isArray(one)) elements += one.length
    if (elements > maxElements) return true
    for (const field of Object.values(one)) within.push(field)
  }
  return false
}

/** Returns a copy of the value that contains only its first `maxElements` array elements. */
const beginningOf = (value: Json): Json => {
  let left = maxElements
  const copy = (one: Json): Json => {
    if (typeof one !== 'object' || one === null) return one
    if (!isArray(one))
      return Object.fromEntries(Object.entries(one).map(([name, field]) => [name, copy(field)]))
    const elements: Json[] = []
    for (const element of one) {
      left -= 1
      if (left < 0) break
      elements.push(copy(element))
    }
    return elements
  }
  return copy(value)
}

/** @param allErrors Whether to continue after the first error. */
const openAjv = ({ root }: Document, allErrors: boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    strict: false,
    /**
     * With `verbose`, errors contain the schema, and therefore its strength. The schema path isn't enough,
     * because it ends at the first reference.
     */
    verbose: true,
    allErrors,
    validateFormats: true,
    logger: false,
    inlineRefs: false,
    meta: false,
    validateSchema: false,
    // Skip optimization, because it would take more time than it saves.
    code: { optimize: false },
  })
  // The module is CommonJS, so NodeNext exposes its default export as `default`.
  formats.default(ajv)
  // The module also accepts a space between date and time, but ISO 8601 requires `T`.
  const dateTime = Object(formats.default.get('date-time'))
  ajv.addFormat('date-time', (text: string) => !text.includes(' ') && dateTime.validate(text))
  ajv.addSchema(root, 'document', undefined, false)
  return ajv
}

/**
 * Returns a function that compiles a schema when it is first needed. Ajv is loaded only when the first schema is
 * compiled.
 */
const compilerOf = (document: Document, allErrors: boolean): ((pointer: string) => ValidateFunction) => {
  const compiled = new Map<string, ValidateFunction>()
  let ajv: Ajv2020 | undefined
  return (pointer) => {
    const known = compiled.get(pointer)
    if (known) return known
    ajv ??= openAjv(document, allErrors)
    const made = ajv.compile({ $ref: `document#${fragment(pointer)}` })
    compiled.set(pointer, made)
    return made
  }
}

/**
 * Returns a function that finds all errors in a value. In a long array, the function finds all errors in the first
 * elements. If these are valid, it finds only the first error. Finding all errors would be slow, because Ajv copies its
 * list of errors for each element.
 */
const errorsFinder = (document: Document) => {
  const compileAll = compilerOf(document, true)
  const compileFirst = compilerOf(document, false)
  return (pointer: string, value: Json): readonly ErrorObject[] => {
    const validate = compileAll(pointer)
    if (!hasMore(value)) return validate(value) ? [] : (validate.errors ?? [])
    const validateFirst = compileFirst(pointer)
    if (validateFirst(value)) return []
    return validate(beginningOf(value)) ? (validateFirst.errors ?? []) : (validate.errors ?? [])
  }
}

/**
 * Creates a validator with Ajv, for the OpenAPI 3.1 dialect (JSON Schema 2020-12). Schemas are compiled
 * when they are first needed.
 */
export const createValidator = (document: Document): Validator => {
  let facts: SchemaFacts | undefined
  const factsOf = (): SchemaFacts => {
    facts ??= schemaFactsOf(document.root)
    return facts
  }
  const errorsOf = errorsFinder(document)
  const strengthOf = (error: ErrorObject, pointer: string): Strength | undefined => {
    const missing: unknown = error.params.missingProperty
    const at = typeof missing === 'string' ? `${error.instancePath}/${missing}` : error.instancePath
    const uses = usesOf(document, pointer, at)
    const broken = isNoObject(error) ? (uses.at(-1) ?? brokenSchema(error)) : brokenSchema(error)
    return weakest(
      factsOf().strengths.get(broken ?? {}),
      isDecided(error) || isUnstatedNull(error, uses.at(-1)) ? 'decided' : undefined,
      strengthOfUses(uses),
    )
  }
  // Returns the errors in each alternative if the value matches none of them.
  const errorsInAlternatives = (
    { keyword, parentSchema, instancePath, params }: ErrorObject,
    value: Json,
  ): readonly (readonly SchemaError[])[] => {
    if (!isAlternative(keyword) || parentSchema === undefined || params.passingSchemas) return []
    const at = factsOf().pointers.get(parentSchema)
    const kinds: unknown = parentSchema[keyword]
    const chosen = valueAt(value, instancePath)
    if (at === undefined || chosen === undefined || !Array.isArray(kinds)) return []
    return kinds.map((_, index) =>
      schemaErrorsOf(document.follow(`${at}/${keyword}/${index}`).pointer, chosen),
    )
  }
  const schemaErrorsOf = (pointer: string, value: Json): readonly SchemaError[] => {
    const errors = errorsOf(pointer, value)
    // If no alternative matches, report only this fact, because the errors in the alternatives contradict each other.
    const choices = errors
      .filter(({ keyword }) => isAlternative(keyword))
      .map(({ instancePath }) => instancePath)
    return errors
      .filter(
        ({ instancePath, keyword }) =>
          isAlternative(keyword) || !choices.some((at) => instancePath.startsWith(at)),
      )
      .map((error) => ({
        at: error.instancePath,
        keyword: error.keyword,
        /** The message is computed only when it is read, because compiling the alternatives is slow. */
        get message() {
          return describe(error) + nearest(error, value)
        },
        /** If all alternatives are violated, the alternative with the weakest error determines the strength. */
        get strength() {
          const inEach = errorsInAlternatives(error, value).map((errors) => strongest(errors)?.strength)
          return weakest(strengthOf(error, pointer), ...inEach)
        },
      }))
  }
  const nearest = (error: ErrorObject, value: Json): string => {
    const worst = nearestOf(errorsInAlternatives(error, value))
    return worst === undefined ? '' : `: ${error.instancePath}${worst.at} ${worst.message}`
  }
  const known = new WeakMap<object, Map<string, readonly SchemaError[]>>()
  return {
    check(pointer, value) {
      if (typeof value !== 'object' || value === null) return schemaErrorsOf(pointer, value)
      const places = known.get(value) ?? new Map<string, readonly SchemaError[]>()
      known.set(value, places)
      const schemaErrors = places.get(pointer) ?? schemaErrorsOf(pointer, value)
      places.set(pointer, schemaErrors)
      return schemaErrors
    },
  }
}

/** Returns whether a schema forbids additional properties. */
export const isClosed = (schema: Json): boolean =>
  isObject(schema) && (schema.additionalProperties === false || schema.unevaluatedProperties === false)
