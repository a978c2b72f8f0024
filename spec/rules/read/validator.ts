import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { fingerprintOf } from './fingerprint.ts'
import {
  asNode,
  asText,
  asTexts,
  isNode,
  type JsonNode,
  type JsonPath,
  type Located,
  pathOf,
  pointerOf,
  valueAt,
} from './json.ts'

export interface Fault {
  message: string
  /** The location of the invalid part, relative to the value that was checked. */
  at: JsonPath
}

export type Direction = 'request' | 'response' | 'both'

/** Checks values against the schemas in a document. */
export interface Validator {
  /**
   * Returns the reason that a value is invalid or that the schema can't be compiled. Returns `undefined` if the value
   * is valid.
   */
  faultOf(value: unknown, schema: JsonPath, direction: Direction): Fault | undefined
}

const base = 'https://svc.invalid/document.json'

const cache = new WeakMap<object, Validator>()

/** Caches compiled schemas because compiling is slow and most schemas are the same in all documents. */
const compiled = new Map<string, ValidateFunction | string>()
const verdicts = new Map<string, Fault | undefined>()

export function validatorOf(document: unknown): Validator {
  const root = asNode(document)
  const known = cache.get(root)
  if (known) return known
  const made = createValidator(root)
  cache.set(root, made)
  return made
}

function createValidator(root: JsonNode): Validator {
  const compile = createCompiler(root)
  const fingerprints = new Map<unknown, string>()
  return {
    faultOf(value, path, direction) {
      const { value: schema, path: place } = withoutRemarks(root, path)
      const fingerprint = fingerprints.get(schema) ?? fingerprintOf(root, schema)
      fingerprints.set(schema, fingerprint)
      const key = `${fingerprint} ${direction} ${JSON.stringify(value)}`
      if (verdicts.has(key)) return verdicts.get(key)
      const validate = compiled.get(fingerprint) ?? compile(encodeURI(pointerOf(place)))
      compiled.set(fingerprint, validate)
      const verdict = judge(validate, value, direction)
      verdicts.set(key, verdict)
      return verdict
    },
  }
}

/** Matches keywords that don't restrict values themselves. */
const remarks = /^(\$ref|title|description|examples?|default|deprecated|readOnly|writeOnly|x-.*)$/

const longestChain = 20

/** If a schema is only a reference with annotations, returns its target. */
function withoutRemarks(root: JsonNode, path: JsonPath): Located {
  let found: Located = { value: asNode(valueAt(root, path)), path }
  for (let step = 0; step < longestChain; step += 1) {
    const { $ref } = found.value
    const target = pathOf(asText($ref))
    const next = valueAt(root, target)
    const isBare = typeof $ref === 'string' && Object.keys(found.value).every((key) => remarks.test(key))
    if (!isBare || !isNode(next)) break
    found = { value: next, path: target }
  }
  return found
}

type Compiler = (pointer: string) => ValidateFunction | string

function createCompiler(root: JsonNode): Compiler {
  let ajv: Ajv2020 | undefined
  return (pointer) => {
    try {
      ajv ??= ajvOf(root)
      return ajv.getSchema(base + pointer) ?? `no schema found at ${pointer}`
    } catch (error) {
      return `the schema does not compile: ${error instanceof Error ? error.message : String(error)}`
    }
  }
}

function ajvOf(root: JsonNode): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    // Don't validate the whole document as a schema, because only the targets of pointers are schemas.
    validateSchema: false,
    verbose: true,
    allErrors: true,
    logger: false,
    // Don't optimize the generated code, because each schema is used for only a few values.
    code: { optimize: false },
  })
  addFormats.default(ajv)
  return ajv.addSchema(root, base)
}

function judge(validate: ValidateFunction | string, value: unknown, direction: Direction): Fault | undefined {
  if (typeof validate === 'string') return { message: validate, at: [] }
  if (validate(value)) return undefined
  return describe((validate.errors ?? []).filter((error) => !isOtherDirection(error, direction)))
}

/**
 * Returns whether a missing property is allowed because it is read-only in a request or write-only in a response (JSON
 * Schema 2020-12, Validation §9.4).
 */
function isOtherDirection({ keyword, params, parentSchema }: ErrorObject, direction: Direction): boolean {
  if (keyword !== 'required' || direction === 'both') return false
  const property = asNode(asNode(asNode(parentSchema).properties)[String(params.missingProperty)])
  return property[direction === 'request' ? 'readOnly' : 'writeOnly'] === true
}

function describe(errors: ErrorObject[]): Fault | undefined {
  const [first] = errors
  if (!first) return undefined
  const allowed = asTexts(first.params.allowedValues)
  const extra = first.params.additionalProperty ?? first.params.unevaluatedProperty
  const detail = allowed.length > 0 ? ` (${allowed.join(', ')})` : extra ? ` (${extra})` : ''
  const message = `${first.instancePath || 'the value'} ${first.message ?? 'is invalid'}${detail}`
  return { message, at: pathOf(encodeURI(first.instancePath)) }
}
