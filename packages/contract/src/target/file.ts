import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { escapeToken, isArray, isObject, type Json, listAt, objectAt, parseJson } from '../document/json.ts'
import { jsonError } from '../document/json-error.ts'
import { didYouMean, joinNames } from '../model/nearest.ts'
import { Misconfiguration } from '../model/signals.ts'
import { readText } from './files.ts'
import { strangeNames } from './names.ts'
import type { Target } from './target.ts'

/** Returns a published schema. The schema folder is next to `src` and `dist`. */
const schemaAt = (name: string): Json => {
  const schema = parseJson(readFileSync(new URL(`../../schema/${name}.json`, import.meta.url), 'utf8'))
  if (schema === undefined) throw new TypeError(`the schema ${name} is not valid JSON`)
  return schema
}

type Schema = 'target' | 'report'

const compiled = new Map<Schema, ValidateFunction>()

const validatorOf = (name: Schema): ValidateFunction => {
  const schema = schemaAt(name)
  if (!isObject(schema)) throw new TypeError(`the schema ${name} is not an object`)
  const known =
    compiled.get(name) ?? new Ajv2020({ allErrors: true, strict: false, verbose: true }).compile(schema)
  compiled.set(name, known)
  return known
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}

/** Describes an error in a file by its location, the expected value and the actual value. */
const describeFault = ({
  instancePath,
  keyword,
  params,
  message,
  data,
  parentSchema,
}: ErrorObject): string => {
  const place = instancePath || 'the file'
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty)
    const known = Object.keys(objectAt(parentSchema, 'properties'))
    const is = `${instancePath}/${escapeToken(name)} is unknown`
    return `${is}: ${didYouMean(name, known, `the fields are ${joinNames(known, 'and')}`)}`
  }
  if (keyword === 'required') return `${place} lacks ${params.missingProperty}`
  if (keyword === 'type') return `${place} must be ${params.type}, but is ${kindOf(data)}`
  if (keyword === 'dependentRequired')
    return `${place} lacks ${params.missingProperty}, which ${params.property} requires`
  if (keyword === 'oneOf') {
    const forms = listAt(parentSchema, 'oneOf').map((form) => listAt(form, 'required').join(' and '))
    return `${place} must have either ${joinNames(forms)}`
  }
  if (keyword === 'enum') return `${place} must be ${joinNames(params.allowedValues.map(String))}`
  return `${place} ${message}`
}

/**
 * Returns whether an error belongs to a single alternative. Errors in alternatives are omitted because they contradict
 * each other, and because `oneOf` itself also reports an error.
 */
const isOfForm = ({ schemaPath }: ErrorObject): boolean => /\/(oneOf|anyOf)\/\d+\//.test(schemaPath)

/** Describes every value that violates a published schema, and every name that isn't part of the API. */
export const schemaErrors = (name: Schema, value: unknown): string[] => {
  const validate = validatorOf(name)
  validate(value)
  const faults = (validate.errors ?? []).filter((error) => !isOfForm(error)).map(describeFault)
  return name === 'target' && isObject(value) ? [...faults, ...strangeNames(value)] : faults
}

/**
 * Reads a JSON file.
 *
 * @throws Misconfiguration if the file can't be read or isn't JSON. For invalid JSON, the message
 * contains the line and column.
 */
export const readJson = (file: string): Json => parseFile(readText(file), file)

const parseFile = (text: string, name: string): Json => {
  const value = parseJson(text)
  if (value !== undefined) return value
  const { line, column, expected } = jsonError(text) ?? { line: 1, column: 1, expected: 'JSON' }
  throw new Misconfiguration(`${name}:${line}:${column} is not valid JSON: expected ${expected}`)
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns whether a value in a target file is the name of an environment variable, such as `$NAME`. */
export const isVariable = (text: string): boolean => /^\$[A-Z_][A-Z0-9_]*$/.test(text)

/**
 * Replaces `"$NAME"` with the value of this environment variable, so that target files don't have to contain secrets.
 */
const substitute = (value: Json, environment: Environment): Json => {
  if (isArray(value)) return value.map((element) => substitute(element, environment))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, substitute(field, environment)]),
    )
  if (typeof value !== 'string' || !isVariable(value)) return value
  const found = environment[value.slice(1)]
  if (found === undefined)
    throw new Misconfiguration(`the environment variable ${value.slice(1)} in the target file is not set`)
  return found
}

const isTarget = (value: unknown): value is Partial<Target> =>
  isObject(value) && schemaErrors('target', value).length === 0

/**
 * Parses a target file.
 *
 * @throws Misconfiguration if the text isn't JSON or doesn't match the schema.
 */
export const parseTarget = (
  text: string,
  name: string,
  environment: Environment = process.env,
): Partial<Target> => {
  const filled = substitute(parseFile(text, name), environment)
  if (isTarget(filled)) return filled
  throw new Misconfiguration(`${name}: ${schemaErrors('target', filled).join('; ')}`)
}

export const readTarget = (file: string): Partial<Target> => parseTarget(readText(file), file)

/**
 * Loads a target file for `openKit`.
 *
 * @example
 * const kit = await openKit({ target: loadTarget('contract.target.json') })
 * @throws Misconfiguration if the file can't be read, doesn't match its schema or has no `baseUrl`.
 */
export const loadTarget = (file: string | URL): Target => {
  const path = file instanceof URL ? fileURLToPath(file) : file
  const { baseUrl, ...fields } = readTarget(path)
  if (baseUrl === undefined) throw new Misconfiguration(`${path} has no baseUrl`)
  return { roles: {}, things: {}, ...fields, baseUrl }
}
