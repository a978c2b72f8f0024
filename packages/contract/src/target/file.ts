import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isArray, isObject, type Json, parseJson } from '../document/json.ts'
import { Misconfiguration } from '../engine/signals.ts'
import type { Target } from './target.ts'

/** Where the published schemas stand, beside `src` and `dist` alike. */
const schemaAt = (name: string): Json => {
  const schema = parseJson(readFileSync(new URL(`../../schema/${name}.json`, import.meta.url), 'utf8'))
  if (schema === undefined) throw new TypeError(`the schema ${name} is no JSON`)
  return schema
}

/** What does not fit a published schema, in words. */
export const misfits = (name: 'target' | 'report', value: unknown): string[] => {
  const schema = schemaAt(name)
  if (!isObject(schema)) throw new TypeError(`the schema ${name} is no object`)
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema)
  validate(value)
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || 'the file'} ${message}`,
  )
}

type Environment = Readonly<Record<string, string | undefined>>

/** `"$NAME"` stands for a variable of the environment, so that a target file can be shared without its secrets. */
const substitute = (value: Json, environment: Environment): Json => {
  if (isArray(value)) return value.map((element) => substitute(element, environment))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, substitute(member, environment)]),
    )
  if (typeof value !== 'string' || !/^\$[A-Z_][A-Z0-9_]*$/.test(value)) return value
  const found = environment[value.slice(1)]
  if (found === undefined)
    throw new Misconfiguration(`the variable ${value.slice(1)} of the target file is not set`)
  return found
}

const isTarget = (value: unknown): value is Partial<Target> =>
  isObject(value) && misfits('target', value).length === 0

/**
 * Reads a target file.
 *
 * @throws Misconfiguration when it cannot be read or does not fit its schema.
 */
export const parseTarget = (
  text: string,
  name: string,
  environment: Environment = process.env,
): Partial<Target> => {
  const value = parseJson(text)
  if (value === undefined) throw new Misconfiguration(`${name} is not JSON`)
  const filled = substitute(value, environment)
  if (isTarget(filled)) return filled
  throw new Misconfiguration(`${name}: ${misfits('target', filled).join('; ')}`)
}

/** Reads a target file from disk. */
export const readTarget = (file: string): Partial<Target> => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new Misconfiguration(`${file} cannot be read`)
  }
  return parseTarget(text, file)
}

/**
 * The target that a file describes, as `openKit` takes it.
 *
 * @example
 * const kit = await openKit({ target: loadTarget('contract.target.json') })
 * @throws Misconfiguration when it cannot be read, does not fit its schema, or has no address.
 */
export const loadTarget = (file: string | URL): Target => {
  const path = file instanceof URL ? fileURLToPath(file) : file
  const { baseUrl, ...said } = readTarget(path)
  if (baseUrl === undefined) throw new Misconfiguration(`${path} has no baseUrl`)
  return { roles: {}, things: {}, ...said, baseUrl }
}
