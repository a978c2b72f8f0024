import { describe, expect, test } from 'vitest'
import { baseUrl } from '../test/setup.ts'
import { createClient } from './create-client.ts'
import { createFetch } from './create-fetch.ts'
import { withDefaults } from './environment.ts'

const noFunctions = 'expected an array of functions'
const strings = 'expected an object with strings, such as Object.fromEntries(headers)'
const text = 'expected a string that is not empty'

const wrong: readonly [option: string, value: unknown, problem: string][] = [
  ['fetch', 'node-fetch', 'fetch is string: expected a function'],
  ['fetch', null, 'fetch is null: expected a function'],
  ['observer', { attempt() {} }, 'observer is Object: expected a function'],
  ['onDeprecation', true, 'onDeprecation is boolean: expected a function'],
  ['parseJson', JSON, 'parseJson is Object: expected a function'],
  ['random', 0.5, 'random is number: expected a function'],
  ['clock', {}, 'clock is Object: expected an object with now() and after()'],
  ['tokenStore', [], 'tokenStore is an array: expected an object with get() and set()'],
  ['retry', 3, 'retry is number: expected an object'],
  ['retry', false, 'retry is boolean: expected an object'],
  ['retryBudget', [], 'retryBudget is an array: expected an object'],
  ['middleware', () => undefined, `middleware is function: ${noFunctions}`],
  ['middleware', [undefined], `middleware is an array: ${noFunctions}`],
  ['headers', new Headers({ 'x-team': 'a' }), `headers is Headers: ${strings}`],
  ['headers', [['x-team', 'a']], `headers is an array: ${strings}`],
  ['headers', { 'x-team': 5 }, `headers is Object: ${strings}`],
  ['credentials', 'secret', 'credentials is string: expected an object or a function'],
  ['credentials', { publicKey: 'secret' }, `credentials.privateKey is undefined: ${text}`],
  ['credentials', { clientId: 'secret', clientSecret: '' }, `credentials.clientSecret is empty: ${text}`],
  ['credentials', { accessToken: 5 }, `credentials.accessToken is number: ${text}`],
]

describe('options of the wrong type', () => {
  test.each(wrong)('are rejected when the client is created: %s %j', (option, value, problem) => {
    const options = { baseUrl, version: '2024-05-30', [option]: value }
    for (const create of [createClient, createFetch, withDefaults])
      expect(() => Reflect.apply(create, undefined, [options])).toThrow(new TypeError(problem))
  })

  test.each([
    [undefined, 'options is undefined: expected an object'],
    [baseUrl, 'options is string: expected an object'],
  ])('are rejected together: %j', (options, problem) => {
    for (const create of [createClient, withDefaults])
      expect(() => Reflect.apply(create, undefined, [options])).toThrow(new TypeError(problem))
  })

  test('do not include options that are undefined, instances of classes, and functions', () => {
    class Store {
      get() {
        return undefined
      }
      set() {}
    }
    const names = [
      'clock',
      'credentials',
      'fetch',
      'headers',
      'middleware',
      'observer',
      'retry',
      'tokenStore',
    ]
    const options = Object.fromEntries(names.map((name) => [name, undefined]))
    createClient({ ...options, baseUrl, version: '2024-05-30' })
    createClient({
      baseUrl,
      version: '2024-05-30',
      tokenStore: new Store(),
      headers: { 'x-a': undefined as never },
    })
    createClient({ baseUrl, version: '2024-05-30', credentials: () => ({ accessToken: 'a' }) })
  })
})
