import { loadControlDocument, type Schema } from '@svc-admin/spec'
import { typeWords } from '../specification/type-words.ts'
import { pacedMachines } from '../world/transition-modes.ts'
import { ControlInputError, type Fields, fieldsOf, isMoment, refuseMoment } from './fields.ts'

/** Refuses bodies that do not fit a request of the control interface. */
export type CheckRequest = (route: string, body: unknown) => void

/**
 * Reads from the document of the control interface what its requests hold. A member that nobody reads is a typing error,
 * and would do nothing without a word; one of another type would be taken for what it is not.
 *
 * @returns what throws {ControlInputError} for a body that does not fit; `route` is such as `PUT /fixtures/:name`.
 */
export function createRequestCheck(): CheckRequest {
  const document = fieldsOf(loadControlDocument(), 'The document')
  const find = (reference: string): Fields =>
    reference
      .split('/')
      .slice(1)
      .reduce((at, name) => fieldsOf(at[name], reference), document)
  return (route, body) => {
    const [method = '', path = ''] = route.split(' ')
    const paths = fieldsOf(document.paths, 'paths')
    const item = fieldsOf(paths[path.replace(/:(\w+)/g, '{$1}')] ?? {}, route)
    const operation = fieldsOf(item[method.toLowerCase()] ?? {}, route)
    const { $ref } = fieldsOf(operation.requestBody ?? {}, route)
    if (typeof $ref !== 'string') return
    const content = fieldsOf(find($ref).content, $ref)
    const schema = fieldsOf(fieldsOf(content['application/json'], $ref).schema, $ref)
    checkValue(schema, body, '', find)
  }
}

type Find = (reference: string) => Schema

/** @param at where the value stands, as `apiKeys[0].roles`; empty for the body. */
function checkValue(part: Schema, value: unknown, at: string, find: Find): void {
  const schema = wholeOf(part, find)
  if (!isOfType(schema, value)) throw new ControlInputError(`${nameOf(at)} must be ${expected(schema)}`)
  if (typeof value === 'string') checkText(schema, value, nameOf(at))
  else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) checkValue(schema.items ?? {}, one, `${at}[${index}]`, find)
  } else if (typeof value === 'object' && value !== null)
    checkMembers(schema, fieldsOf(value, nameOf(at)), at, find)
}

const nameOf = (at: string): string => (at === '' ? 'The body' : `'${at}'`)

const memberOf = (at: string, name: string): string => `${at === '' ? '' : `${at}.`}${name.slice(0, 100)}`

function checkMembers(schema: Schema, members: Fields, at: string, find: Find): void {
  const { properties = {}, required = [], additionalProperties, unevaluatedProperties } = schema
  const isOfLifecycles = schema['x-lifecycles'] === true
  for (const [name, member] of Object.entries(members)) {
    if (isOfLifecycles && !lifecycles.includes(name))
      throw new ControlInputError(noLifecycle(nameOf(at), name))
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (typeof own === 'object') checkValue(own, member, memberOf(at, name), find)
    else if (own === false || unevaluatedProperties === false) {
      throw new ControlInputError(unknownMember(nameOf(at), name, Object.keys(properties)))
    }
  }
  const missing = required.find((name) => !Object.hasOwn(members, name))
  if (missing !== undefined) throw new ControlInputError(`'${memberOf(at, missing)}' is required`)
}

function unknownMember(what: string, name: string, known: readonly string[]): string {
  return `${what} has no member '${name.slice(0, 100)}': it may have ${known.join(', ')}`
}

/** What modes are set for: the facts say which lifecycles move by time. */
const lifecycles: readonly string[] = [...pacedMachines, '*']

const noLifecycle = (what: string, name: string): string =>
  `${what} is of members that each name a lifecycle, ${lifecycles.join(', ')}, and '${name.slice(0, 100)}' is none of them`

function checkText({ minLength, maxLength, format }: Schema, value: string, what: string): void {
  if (typeof minLength === 'number' && minLength > 0 && value === '') {
    throw new ControlInputError(`${what} must not be empty`)
  }
  if (typeof maxLength === 'number' && [...value].length > maxLength) {
    throw new ControlInputError(`${what} must have ${maxLength} characters at most`)
  }
  if (format === 'date-time' && !isMoment(value)) throw refuseMoment(what)
}

function isOfType(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema)
  const fits = types.length === 0 || types.some((type) => kinds[type]?.(value))
  return fits && (!schema.enum || schema.enum.some((one) => one === value)) && isWithin(schema, value)
}

function isWithin({ minimum, exclusiveMinimum, maximum }: Schema, value: unknown): boolean {
  if (typeof value !== 'number') return true
  if (typeof minimum === 'number' && value < minimum) return false
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false
  return typeof maximum !== 'number' || value <= maximum
}

const typesOf = ({ type = [] }: Schema): readonly string[] => [type].flat()

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** What a schema asks for, in the words of a refusal. */
function expected(schema: Schema): string {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  const types = typesOf(schema)
  const words = types.map((type) => typeWords[type] ?? type).join(' or ')
  return types.length === 1 ? `${words}${rangeOf(schema)}` : words
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const most = typeof maximum === 'number' ? maximum : undefined
  if (typeof exclusiveMinimum === 'number') {
    return ` above ${exclusiveMinimum}${most === undefined ? '' : ` and at most ${most}`}`
  }
  if (typeof minimum !== 'number') return ''
  return most === undefined ? ` from ${minimum}` : ` from ${minimum} to ${most}`
}

/** A schema with what it refers to and what it is made of. */
function wholeOf(schema: Schema, find: Find): Schema {
  const { $ref, allOf = [], ...own } = schema
  const parts = [...($ref === undefined ? [] : [find($ref)]), ...allOf].map((part) => wholeOf(part, find))
  return Object.assign({}, ...parts, own, {
    properties: Object.assign({}, ...parts.map((part) => part.properties), own.properties),
    required: [...parts.flatMap((part) => part.required ?? []), ...(own.required ?? [])],
  })
}
