import { isCalendarDate } from '../http/negotiation.ts'

/** Thrown if the input to the control interface is invalid. */
export class ControlInputError extends Error {
  readonly why: string
  /** The path of the invalid value, such as `apiKeys[0].roles[1]`, or an empty string if the whole body is invalid. */
  readonly at: string

  constructor(why: string, at = '') {
    super(at === '' ? why : `In '${at}': ${why}`)
    this.why = why
    this.at = at
  }
}

/** Reads a part of the input. If the part is invalid, adds its path to the error. */
export async function located<T>(at: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ControlInputError)) throw error
    throw new ControlInputError(error.why, error.at === '' ? at : `${at}.${error.at}`)
  }
}

export type Fields = Readonly<Record<string, unknown>>

/**
 * Returns an object's fields.
 *
 * @throws {ControlInputError} if the value isn't an object.
 */
export function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value))
  }
  throw new ControlInputError(`${what} must be an object`)
}

/**
 * Returns a string field.
 *
 * @throws {ControlInputError} if the field isn't a non-empty string.
 */
export function text(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '') return value
  throw new ControlInputError(`'${name}' must ${value === '' ? 'not be empty' : 'be a string'}`)
}

/**
 * Returns a string field, or undefined if the field is missing.
 *
 * @throws {ControlInputError} if the field isn't a non-empty string.
 */
export function maybeText(fields: Fields, name: string): string | undefined {
  return fields[name] === undefined ? undefined : text(fields, name)
}

/**
 * Returns a number field, or undefined if the field is missing.
 *
 * @throws {ControlInputError} if the field isn't a finite number.
 */
export function maybeNumber(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
  throw new ControlInputError(`'${name}' must be a number`)
}

/**
 * Returns the elements of a list field. If the field is missing, returns an empty list.
 *
 * @throws {ControlInputError} if the field isn't a list.
 */
export function list(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name]
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  throw new ControlInputError(`'${name}' must be an array`)
}

/**
 * Returns a list field that contains only strings.
 *
 * @throws {ControlInputError} if an element isn't a string.
 */
export function texts(fields: Fields, name: string): string[] {
  return list(fields, name).map((value) => {
    if (typeof value === 'string') return value
    throw new ControlInputError(`'${name}' must contain only strings`)
  })
}

/**
 * Converts an RFC 3339 timestamp to milliseconds since the Unix epoch.
 *
 * @throws {ControlInputError} if the timestamp is invalid.
 */
export function time(value: string, name: string): number {
  if (isDateTime(value)) return Date.parse(value.toUpperCase())
  throw dateTimeError(`'${name}'`)
}

/** Returns whether a text is an RFC 3339 `date-time` with a valid date and an offset. */
export function isDateTime(value: string): boolean {
  const shape = /^(\d{4}-\d{2}-\d{2})t(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d+)?(?:z|[+-]\d{2}:\d{2})$/i
  const day = shape.exec(value)?.[1]
  return day !== undefined && isCalendarDate(day) && !Number.isNaN(Date.parse(value.toUpperCase()))
}

export const dateTimeError = (what: string): ControlInputError =>
  new ControlInputError(`${what} must be an RFC 3339 date-time, such as 2026-03-01T12:00:00Z`)
