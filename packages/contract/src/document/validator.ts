import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isStrength, type Strength } from '../engine/verdict.ts'
import type { Document } from './document.ts'
import { isObject, type Json, stringAt, valueAt } from './json.ts'

/** One way in which a value does not fit its schema. */
export interface Misfit {
  /** JSON Pointer into the value. */
  readonly at: string
  readonly keyword: string
  readonly message: string
  /** Strength of the fact that is not kept: the nearest `x-strength` above it in the document. */
  readonly strength: Strength | undefined
}

/** Checks values against the schemas of a document. */
export interface Validator {
  /** The misfits of a value; none when it fits. */
  check(pointer: string, value: Json): readonly Misfit[]
}

/** A JSON Pointer as a URI fragment (RFC 6901 §6): path templates hold braces. */
const fragment = (pointer: string): string => pointer.split('/').map(encodeURIComponent).join('/')

const strengthNear = (document: Document, schemaPath: string): Strength | undefined => {
  const pointer = decodeURIComponent(schemaPath.slice(schemaPath.indexOf('#') + 1))
  const tokens = pointer.split('/')
  for (let length = tokens.length; length > 1; length -= 1) {
    const strength = stringAt(valueAt(document.root, tokens.slice(0, length).join('/')), 'x-strength')
    if (isStrength(strength)) return strength
  }
  return undefined
}

const describe = (error: ErrorObject): string => {
  const { additionalProperty, allowedValues, allowedValue } = error.params
  if (typeof additionalProperty === 'string') return `must not have the member ${additionalProperty}`
  if (Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`
  if (allowedValue !== undefined) return `must be ${JSON.stringify(allowedValue)}`
  return error.message ?? error.keyword
}

/** A member that is required has its own strength, which stands below `properties` and not above `required`. */
const strengthOf = (document: Document, error: ErrorObject): Strength | undefined => {
  const missing: unknown = error.params.missingProperty
  const path =
    typeof missing === 'string'
      ? `${error.schemaPath.replace(/required$/, '')}properties/${missing}`
      : undefined
  return strengthNear(document, path ?? error.schemaPath)
}

const isAlternative = (keyword: string): boolean => keyword === 'oneOf' || keyword === 'anyOf'

/**
 * Compiles schemas when they are first asked for, with Ajv in the dialect of OpenAPI 3.1 (JSON Schema 2020-12).
 */
export const createValidator = (document: Document): Validator => {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: true,
    logger: false,
    inlineRefs: false,
  })
  // The module is CommonJS: its default export stands one level down in NodeNext.
  formats.default(ajv)
  ajv.addSchema(document.root, 'document', undefined, false)
  const compiled = new Map<string, ValidateFunction>()
  const compile = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer)
    if (known) return known
    const made = ajv.compile({ $ref: `document#${fragment(pointer)}` })
    compiled.set(pointer, made)
    return made
  }
  return {
    check(pointer, value) {
      const validate = compile(pointer)
      if (validate(value)) return []
      const errors = validate.errors ?? []
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
          message: describe(error),
          strength: strengthOf(document, error),
        }))
    },
  }
}

/** Whether a schema is closed: members that it does not list are refused. */
export const isClosed = (schema: Json): boolean =>
  isObject(schema) && (schema.additionalProperties === false || schema.unevaluatedProperties === false)
