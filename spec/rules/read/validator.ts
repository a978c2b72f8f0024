import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { fingerprintOf } from './fingerprint.ts'
import { asNode, asTexts, type JsonPath, pointerOf, valueAt } from './json.ts'

export type Direction = 'request' | 'response' | 'both'

/** Checks values against the schemas of one document, which it compiles where they stand. */
export interface Validator {
  /** What is wrong with the value, or undefined. A schema that cannot be compiled is a fault of its own. */
  faultOf(value: unknown, schema: JsonPath, direction: Direction): string | undefined
}

const base = 'https://svc.invalid/document.json'

const cache = new WeakMap<object, Validator>()

/** What is known of a value under a schema, whatever document both stand in. */
const verdicts = new Map<string, string | undefined>()

export function validatorOf(document: unknown): Validator {
  const root = asNode(document)
  const known = cache.get(root)
  if (known) return known
  const made = createValidator(root)
  cache.set(root, made)
  return made
}

function createValidator(root: Record<string, unknown>): Validator {
  // The document is no schema itself: only what pointers lead to is, hence `validateSchema: false`.
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    verbose: true,
    allErrors: true,
    logger: false,
  })
  addFormats.default(ajv)
  const compiled = new Map<string, ValidateFunction | string>()
  let added = false
  const compile = (pointer: string): ValidateFunction | string => {
    try {
      if (!added) ajv.addSchema(root, base)
      added = true
      return ajv.getSchema(base + pointer) ?? `there is no schema at ${pointer}`
    } catch (error) {
      return `its schema does not compile: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  const judge = (value: unknown, schema: JsonPath, direction: Direction): string | undefined => {
    const pointer = encodeURI(pointerOf(schema))
    const known = compiled.get(pointer) ?? compile(pointer)
    compiled.set(pointer, known)
    if (typeof known === 'string') return known
    if (known(value)) return undefined
    return describe((known.errors ?? []).filter((error) => !isOtherDirection(error, direction)))
  }
  const fingerprints = new Map<unknown, string>()
  return {
    faultOf(value, path, direction) {
      const schema = valueAt(root, path)
      const fingerprint = fingerprints.get(schema) ?? fingerprintOf(root, schema)
      fingerprints.set(schema, fingerprint)
      const key = `${fingerprint} ${direction} ${JSON.stringify(value)}`
      if (!verdicts.has(key)) verdicts.set(key, judge(value, path, direction))
      return verdicts.get(key)
    },
  }
}

/** A required member that only the other direction carries is not missing (OpenAPI 3.1 defers to JSON Schema 9.4). */
function isOtherDirection({ keyword, params, parentSchema }: ErrorObject, direction: Direction): boolean {
  if (keyword !== 'required' || direction === 'both') return false
  const property = asNode(asNode(asNode(parentSchema).properties)[String(params.missingProperty)])
  return property[direction === 'request' ? 'readOnly' : 'writeOnly'] === true
}

function describe(errors: ErrorObject[]): string | undefined {
  const [first] = errors
  if (!first) return undefined
  const allowed = asTexts(first.params.allowedValues)
  const extra = first.params.additionalProperty ?? first.params.unevaluatedProperty
  const detail = allowed.length > 0 ? ` (${allowed.join(', ')})` : extra ? ` (${extra})` : ''
  return `${first.instancePath || 'it'} ${first.message ?? 'does not fit'}${detail}`
}
