import type { Json } from '@svc-admin/spec'
import { addresses } from '../model/addresses.ts'
import type {
  PagedOperation,
  SharedOperation,
  TryField,
  TryFile,
  TryOperation,
} from '../model/try-operation.ts'

/** Returns the operations in a version, with the version's date in their media types. */
export function operationsIn(version: string, shared: readonly SharedOperation[]): PagedOperation[] {
  return shared
    .filter(({ versions }) => versions.includes(version))
    .map(({ versions, pageIn, ...operation }) => {
      const ofVersion = (type: string) => type.replace(`.${versions.at(-1)}+`, `.${version}+`)
      const { accept, contentType, id } = operation
      const holder = pageIn ?? versions.at(-1) ?? version
      return {
        ...operation,
        page: `${addresses.operation(holder, id).slice(1)}${holder === version ? '' : `?version=${version}`}`,
        accept: ofVersion(accept),
        ...(contentType !== undefined && { contentType: ofVersion(contentType) }),
      }
    })
}

/** Restores operations from the compact file, in which they refer to fields by index. */
export function unpacked({ fields, operations }: TryFile): SharedOperation[] {
  const found = (indexes: readonly number[]) => indexes.flatMap((index) => fields[index] ?? [])
  return operations.map(({ parameters, body, ...operation }) => ({
    ...operation,
    parameters: found(parameters),
    ...(body && { body: found(body) }),
  }))
}

/** Placeholder for servers without a sandbox, where the reader must enter all values. */
export const noCredentials: SandboxCredentials = {
  baseUrl: '',
  apiKey: { publicKey: '', privateKey: '' },
  serviceAccount: { clientId: '', clientSecret: '' },
  groupId: '',
  orgId: '',
}

/**
 * Returns the server address that the reader entered, without a trailing slash. Returns `undefined` if the text isn't
 * an HTTP address.
 */
export function serverAddress(text: string): string | undefined {
  const given = text.trim().replace(/\/+$/, '')
  return URL.canParse(given) && /^https?:$/.test(new URL(given).protocol) ? given : undefined
}

/** The response from `/sandbox/credentials.json`. Static hosts don't have this file. */
export interface SandboxCredentials {
  readonly baseUrl: string
  readonly apiKey: { readonly publicKey: string; readonly privateKey: string }
  readonly serviceAccount: { readonly clientId: string; readonly clientSecret: string }
  readonly groupId: string
  readonly orgId: string
}

/** The values in a form. Each value is stored with its field. */
export type Filled = readonly (readonly [field: TryField, value: string])[]

/** Returns the path and query of the request for a form's values. */
export function targetOf(operation: TryOperation, filled: Filled): string {
  const given = new Map(
    filled.filter(([{ place }]) => place === 'path').map(([{ name }, value]) => [name, value]),
  )
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(given.get(name) ?? ''),
  )
  const query = filled.filter(([{ place }, value]) => place === 'query' && value !== '')
  if (query.length === 0) return path
  return `${path}?${new URLSearchParams(query.map(([{ name }, value]) => [name, value]))}`
}

/**
 * Returns the request body for a form's values, without the empty inputs.
 *
 * @throws SyntaxError if a JSON input is not valid JSON.
 */
export function bodyOf({ contentType }: TryOperation, filled: Filled): string | undefined {
  const given = filled.filter(([{ place }, value]) => place === 'body' && value.trim() !== '')
  if (contentType === undefined) return undefined
  if (contentType === 'application/x-www-form-urlencoded')
    return new URLSearchParams(given.map(([{ name }, value]) => [name, value])).toString()
  const whole = given.find(([{ name }]) => name === '')
  if (whole) return JSON.stringify(JSON.parse(whole[1]))
  return JSON.stringify(
    Object.fromEntries(given.map(([field, value]) => [field.name, jsonValue(field, value)])),
  )
}

export function jsonValue({ type, name }: TryField, value: string): Json {
  if (type === 'string') return value
  try {
    return JSON.parse(value)
  } catch (error) {
    throw new SyntaxError(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Returns the problem with an input's value, or `undefined` if the value is valid. */
export function problemOf(field: TryField, value: string): string | undefined {
  if (value.trim() === '') return field.required ? 'Enter a value.' : undefined
  if (field.type === 'string') return textProblem(field, value)
  try {
    const parsed: unknown = JSON.parse(value)
    return field.type === 'json' || field.type === 'boolean' ? undefined : numberProblem(field, parsed)
  } catch (error) {
    if (field.type !== 'json') return numberProblem(field, undefined)
    return `Invalid JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

function textProblem(
  { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: TryField,
  value: string,
): string | undefined {
  const length = [...value].length
  if (length < minLength) return `Enter at least ${minLength} characters (currently ${length}).`
  if (length > maxLength) return `Enter at most ${maxLength} characters (currently ${length}).`
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    return `The value must match ${pattern}.`
  return undefined
}

function numberProblem(
  { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: TryField,
  value: unknown,
): string | undefined {
  if (typeof value !== 'number') return 'Enter a number.'
  if (type === 'integer' && !Number.isInteger(value)) return 'Enter an integer.'
  if (value < minimum) return `The value must be at least ${minimum}.`
  return value > maximum ? `The value must be at most ${maximum}.` : undefined
}
