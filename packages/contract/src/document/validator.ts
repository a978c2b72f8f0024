import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isStrength, type Strength, weakest } from '../engine/verdict.ts'
import type { Document } from './document.ts'
import { escapeToken, isArray, isObject, type Json, type JsonObject, stringAt, valueAt } from './json.ts'

/** One way in which a value does not fit its schema. */
export interface Misfit {
  /** JSON Pointer into the value. */
  readonly at: string
  readonly keyword: string
  readonly message: string
  /**
   * Strength of the fact that is not kept: the nearest `x-strength` above it in the document, or what stands beside the
   * reference to it or in `x-decided` for the keyword, where that is weaker.
   */
  readonly strength: Strength | undefined
}

/** Checks values against the schemas of a document. */
export interface Validator {
  /** The misfits of a value, worked out once however many judges ask; none when it fits. */
  check(pointer: string, value: Json): readonly Misfit[]
}

/** A JSON Pointer as a URI fragment (RFC 6901 §6): path templates hold braces. */
const fragment = (pointer: string): string => pointer.split('/').map(encodeURIComponent).join('/')

/** What is known of every schema of a document. */
interface Known {
  /** Its own strength, or that of what it stands in. */
  readonly strengths: WeakMap<object, Strength>
  /** Where it stands. */
  readonly pointers: WeakMap<object, string>
}

const knownOf = (root: JsonObject): Known => {
  const known: Known = { strengths: new WeakMap(), pointers: new WeakMap() }
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
  if (isAlternative(error.keyword) && !error.params.passingSchemas) return 'fits none of its kinds'
  const { additionalProperty, allowedValues, allowedValue } = error.params
  if (typeof additionalProperty === 'string') return `must not have the member ${additionalProperty}`
  if (Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`
  if (allowedValue !== undefined) return `must be ${JSON.stringify(allowedValue)}`
  return error.message ?? error.keyword
}

/** The schema that was not kept. A missing member is judged by its own schema, which stands beside `required`. */
const brokenSchema = ({ parentSchema, params }: ErrorObject): object | undefined => {
  const missing: unknown = params.missingProperty
  const properties: unknown = parentSchema?.properties
  const field = typeof missing === 'string' && isObject(properties) ? properties[missing] : undefined
  return isObject(field) ? field : parentSchema
}

const isMarkedDecided = ({ parentSchema, keyword }: ErrorObject): boolean =>
  isObject(parentSchema?.['x-decided']) && keyword in parentSchema['x-decided']

/**
 * The weakest strength that stands beside a reference on the way from a schema to a value: the schema that is referred
 * to may be a firm one, and its use here not.
 */
const strengthOfUse = (document: Document, pointer: string, at: string): Strength | undefined => {
  let place = document.follow(pointer)
  let found: Strength | undefined
  for (const token of at.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const properties = place.value.properties
    const field = isObject(properties) && name in properties ? `properties/${token}` : 'items'
    const used = valueAt(place.value, `/${field}`)
    if (!isObject(used)) return found
    const own = stringAt(used, 'x-strength')
    if (used.$ref !== undefined && isStrength(own)) found = weakest(found, own)
    place = document.follow(`${place.pointer}/${field}`)
  }
  return found
}

const ranks: readonly (Strength | undefined)[] = ['open', 'decided', undefined, 'stated']

/** The misfit on the strongest fact: it tells the verdict. */
export const gravest = (misfits: readonly Misfit[]): Misfit | undefined =>
  [...misfits].sort((one, other) => ranks.indexOf(other.strength) - ranks.indexOf(one.strength))[0]

/** What is wrong by the kind that a value comes nearest to; nothing where it is of one, or calls itself another. */
const nearestOf = (wrong: readonly (readonly Misfit[])[]): Misfit | undefined => {
  if (wrong.some((misfits) => misfits.length === 0)) return undefined
  const [nearest = []] = wrong
    .filter((misfits) => misfits.every(({ keyword }) => keyword !== 'const' && keyword !== 'not'))
    .sort((one, other) => one.length - other.length)
  return gravest(nearest)
}

/** Elements of all arrays in a value, up to which all that is wrong with it is looked for. */
const mostElements = 2000

const hasMore = (value: Json): boolean => {
  let elements = 0
  const within: Json[] = [value]
  // A list that grows while it is walked.
  for (const one of within) {
    if (typeof one !== 'object' || one === null) continue
    if (isArray(one)) elements += one.length
    if (elements > mostElements) return true
    for (const field of Object.values(one)) within.push(field)
  }
  return false
}

/** The value with no more elements than that, each in its place. */
const beginningOf = (value: Json): Json => {
  let left = mostElements
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

/** @param allErrors looks on after the first error. */
const openAjv = ({ root }: Document, allErrors: boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    strict: false,
    // The error then holds the schema itself, which alone tells the strength: paths end at each reference.
    verbose: true,
    allErrors,
    validateFormats: true,
    logger: false,
    inlineRefs: false,
    meta: false,
    validateSchema: false,
    // To make the code of a schema smaller takes longer than running it as it is.
    code: { optimize: false },
  })
  // The module is CommonJS: its default export stands one level down in NodeNext.
  formats.default(ajv)
  ajv.addSchema(root, 'document', undefined, false)
  return ajv
}

/** Compiles each schema of a document once, and Ajv itself is opened for the first. */
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
 * Compiles schemas when they are first asked for, with Ajv in the dialect of OpenAPI 3.1 (JSON Schema 2020-12).
 */
export const createValidator = (document: Document): Validator => {
  const { strengths, pointers } = knownOf(document.root)
  const compileAll = compilerOf(document, true)
  const compileFirst = compilerOf(document, false)
  /**
   * All that is wrong with a value, or with its beginning: to gather the errors of many elements, Ajv copies those that it
   * has found for each. What is wrong beyond the beginning alone is told by the first of it.
   */
  const errorsOf = (pointer: string, value: Json): readonly ErrorObject[] => {
    const validate = compileAll(pointer)
    if (!hasMore(value)) return validate(value) ? [] : (validate.errors ?? [])
    const validateFirst = compileFirst(pointer)
    if (validateFirst(value)) return []
    return validate(beginningOf(value)) ? (validateFirst.errors ?? []) : (validate.errors ?? [])
  }
  const strengthOf = (error: ErrorObject, pointer: string): Strength | undefined => {
    const missing: unknown = error.params.missingProperty
    const at = typeof missing === 'string' ? `${error.instancePath}/${missing}` : error.instancePath
    return weakest(
      strengths.get(brokenSchema(error) ?? {}),
      isMarkedDecided(error) ? 'decided' : undefined,
      strengthOfUse(document, pointer, at),
    )
  }
  const misfitsOf = (pointer: string, value: Json): readonly Misfit[] => {
    const errors = errorsOf(pointer, value)
    // Of a failed choice only the choice itself is told: its branches contradict each other.
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
        // Few messages are read, and the kinds of a choice take a while to compile.
        get message() {
          return describe(error) + nearest(error, value)
        },
        strength: strengthOf(error, pointer),
      }))
  }
  /** What is wrong with a value by that of the kinds of a choice which it comes nearest to. */
  const nearest = ({ keyword, parentSchema, instancePath }: ErrorObject, value: Json): string => {
    const at = isAlternative(keyword) && parentSchema ? pointers.get(parentSchema) : undefined
    const kinds: unknown = parentSchema?.[keyword]
    const chosen = valueAt(value, instancePath)
    if (at === undefined || chosen === undefined || !Array.isArray(kinds)) return ''
    const wrong = kinds.map((_, index) =>
      misfitsOf(document.follow(`${at}/${keyword}/${index}`).pointer, chosen),
    )
    const worst = nearestOf(wrong)
    return worst === undefined ? '' : `: ${instancePath}${worst.at} ${worst.message}`
  }
  const known = new WeakMap<object, Map<string, readonly Misfit[]>>()
  return {
    check(pointer, value) {
      if (typeof value !== 'object' || value === null) return misfitsOf(pointer, value)
      const places = known.get(value) ?? new Map<string, readonly Misfit[]>()
      known.set(value, places)
      const misfits = places.get(pointer) ?? misfitsOf(pointer, value)
      places.set(pointer, misfits)
      return misfits
    },
  }
}

/** Whether a schema is closed: members that it does not list are refused. */
export const isClosed = (schema: Json): boolean =>
  isObject(schema) && (schema.additionalProperties === false || schema.unevaluatedProperties === false)
