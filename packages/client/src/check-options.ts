import type { TransportOptions } from './options.ts'

/** An option's expected value, described for error messages, and a function that checks the value. */
type Rule = readonly [expected: string, holds: (value: unknown) => boolean]

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const aFunction: Rule = ['a function', isFunction]
const anObject: Rule = ['an object', isObject]
const aText: Rule = ['a string that is not empty', (value) => typeof value === 'string' && value !== '']
const hasMethods = (value: unknown, ...names: string[]): boolean =>
  isObject(value) && names.every((name) => isFunction(value[name]))

const rules: Readonly<Record<string, Rule>> = {
  clock: ['an object with now() and after()', (value) => hasMethods(value, 'now', 'after')],
  credentials: ['an object or a function', (value) => isObject(value) || isFunction(value)],
  fetch: aFunction,
  headers: ['an object with strings, such as Object.fromEntries(headers)', areHeaders],
  middleware: ['an array of functions', (value) => Array.isArray(value) && value.every(isFunction)],
  observer: aFunction,
  onDeprecation: aFunction,
  parseJson: aFunction,
  random: aFunction,
  retry: anObject,
  retryBudget: anObject,
  tokenStore: ['an object with get() and set()', (value) => hasMethods(value, 'get', 'set')],
}

/** `Headers` and `Map` have no own properties, so their headers wouldn't be sent. */
function areHeaders(value: unknown): boolean {
  const isPlain = isObject(value) && !(Symbol.iterator in value)
  return isPlain && Object.values(value).every((each) => ['string', 'undefined'].includes(typeof each))
}

const credentialParts = [['publicKey', 'privateKey'], ['clientId', 'clientSecret'], ['accessToken']]

/**
 * Checks the types of options for callers that don't use TypeScript. The transport checks numbers and `baseUrl` itself.
 * Error messages omit values because a value may be a secret.
 *
 * @throws TypeError for an option of the wrong type.
 */
export function checkOptions(options: TransportOptions): void {
  check('options', options, anObject)
  for (const [name, rule] of Object.entries(rules)) {
    const value: unknown = Reflect.get(options, name)
    if (value !== undefined) check(name, value, rule)
  }
  const credentials: object = Object(options.credentials)
  for (const parts of credentialParts.filter((names) => names.some((name) => name in credentials))) {
    for (const part of parts) check(`credentials.${part}`, Reflect.get(credentials, part), aText)
  }
}

function check(name: string, value: unknown, [expected, holds]: Rule): void {
  if (!holds(value)) throw new TypeError(`${name} is ${describe(value)}: expected ${expected}`)
}

/** Returns the type of a value for error messages. */
function describe(value: unknown): string {
  if (value === '') return 'empty'
  if (!isObject(value)) return Array.isArray(value) ? 'an array' : value === null ? 'null' : `${typeof value}`
  return value.constructor?.name ?? 'object'
}
