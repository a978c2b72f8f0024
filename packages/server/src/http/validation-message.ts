import type { Schema } from '@svc-admin/spec'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { typeNames } from '../specification/type-names.ts'

/** Describes an error with a phrase that follows the field's name, such as `must be at most 500`. */
export function validationMessage({ keyword, params, message, parentSchema = {} }: ErrorObject): string {
  return messages[keyword]?.(params, parentSchema) ?? message ?? 'is invalid'
}

type Params = Readonly<Record<string, unknown>>

const messages: Readonly<Record<string, (params: Params, schema: Schema) => string | undefined>> = {
  required: () => 'is required',
  additionalProperties: () => 'is unknown',
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
  format: ({ format }) => formats[String(format)] ?? `must have the format ${format}`,
  pattern: (_, schema) => patternMessage(schema),
  not: (_, schema) => patternMessage(schema),
}

const typeName = (type: string): string => typeNames[type] ?? type

/** Explanations of formats that readers may not know. */
const formats: Readonly<Record<string, string>> = {
  int32: 'must be a 32-bit integer',
  int64: 'must be a 64-bit integer',
  email: 'must be an email address',
}

const least = (limit: unknown, most: unknown): string => (limit === most ? 'exactly' : 'at least')
const most = (limit: unknown, least: unknown): string => (limit === least ? 'exactly' : 'at most')
const withUnit = (limit: unknown, unit: string): string => `${limit} ${unit}${limit === 1 ? '' : 's'}`

/** Describes a pattern with an example and a description from its schema. Returns undefined if there is no example. */
function patternMessage({ format, description, examples }: Schema): string | undefined {
  if (typeof format === 'string') return `must have the format ${format}`
  const [example] = examples ?? []
  if (typeof example !== 'string') return undefined
  const explanation = description === undefined ? '' : ` (${description.trim().replace(/\.$/, '')})`
  return `must have the format of ${example}${explanation}`
}
