import type { Schema } from '@svc-admin/spec'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { typeNames } from '../specification/type-names.ts'

/** Why a value does not fit, as it goes on after the name of what is at fault: `must be at most 500`. */
export function validationMessage({ keyword, params, message, parentSchema = {} }: ErrorObject): string {
  return messages[keyword]?.(params, parentSchema) ?? message ?? 'does not fit'
}

type Params = Readonly<Record<string, unknown>>

const messages: Readonly<Record<string, (params: Params, schema: Schema) => string | undefined>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not known',
  type: ({ type }) => `must be ${[type].flat().map(String).map(typeName).join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${[allowedValues].flat().join(', ')}`,
  const: ({ allowedValue }) => `must be ${allowedValue}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: ({ limit }, schema) =>
    `must have ${least(limit, schema.maxLength)} ${withUnit(limit, 'character')}`,
  maxLength: ({ limit }, schema) =>
    `must have ${most(limit, schema.minLength)} ${withUnit(limit, 'character')}`,
  minItems: ({ limit }, schema) => `must have ${least(limit, schema.maxItems)} ${withUnit(limit, 'element')}`,
  maxItems: ({ limit }, schema) => `must have ${most(limit, schema.minItems)} ${withUnit(limit, 'element')}`,
  format: ({ format }) => `must be ${formats[String(format)] ?? `of the format ${format}`}`,
  pattern: (_, schema) => patternMessage(schema),
  not: (_, schema) => patternMessage(schema),
}

const typeName = (type: string): string => typeNames[type] ?? type

/** Formats that have a word of their own. */
const formats: Readonly<Record<string, string>> = {
  int32: 'a whole number of 32 bits',
  int64: 'a whole number of 64 bits',
  email: 'an e-mail address',
}

const least = (limit: unknown, most: unknown): string => (limit === most ? 'exactly' : 'at least')
const most = (limit: unknown, least: unknown): string => (limit === least ? 'exactly' : 'at most')
const withUnit = (limit: unknown, unit: string): string => `${limit} ${unit}${limit === 1 ? '' : 's'}`

/** What a pattern asks for, in the words of the schema that has it; undefined where it has none. */
function patternMessage({ format, description, examples }: Schema): string | undefined {
  if (typeof format === 'string') return `must be of the format ${format}`
  const [example] = examples ?? []
  if (typeof example !== 'string') return undefined
  const said = description === undefined ? '' : ` (${description.trim().replace(/\.$/, '')})`
  return `must have the form of ${example}${said}`
}
