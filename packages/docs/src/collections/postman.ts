import type { Json } from '@svc-admin/spec'
import { firstSentence } from '../content/first-sentence.ts'
import { isCommon, type OperationModel } from '../model/operation-model.ts'
import type { VersionModel } from '../model/site-model.ts'
import { type SampleCall, sampleCall } from '../samples/call.ts'

/** Returns the variables that readers set in a collection. The server's address is the same as in the samples. */
export const variablesOf = (origin: string): readonly (readonly [name: string, value: string])[] => [
  ['baseUrl', origin],
  ['publicKey', ''],
  ['privateKey', ''],
  ['clientId', ''],
  ['clientSecret', ''],
]

const setting = (key: string, value: string) => ({ key, value, type: 'string' })

/**
 * Creates a Postman collection (format 2.1) with a request for each of the version's operations and a folder
 * for each area.
 */
export function postmanCollection(version: VersionModel): Json {
  const { document, areas, operations: all } = version
  const origin = document.servers?.[0]?.url ?? ''
  const common = new Map(
    all.flatMap((each) => each.parameters.filter(isCommon)).map((each) => [each.name, each]),
  )
  return {
    info: {
      name: document.info.title,
      description: [
        'Set the variables publicKey and privateKey.',
        document.info.summary ?? '',
        ...[...common.values()].map(({ name, description = '' }) => `${name}: ${firstSentence(description)}`),
      ].join(' '),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: variablesOf(new URL(origin).origin).map(([key, value]) => ({ key, value })),
    auth: {
      type: 'digest',
      digest: [
        setting('algorithm', 'MD5'),
        setting('username', '{{publicKey}}'),
        setting('password', '{{privateKey}}'),
      ],
    },
    item: [...areas].map(([name, operations]) => ({
      name,
      item: operations.map((operation) => itemOf(operation, sampleCall(version, operation))),
    })),
  }
}

function itemOf(operation: OperationModel, call: SampleCall): Json {
  const { prefix, path, parameters, operation: source } = operation
  const given = parameters.filter((each) => each.in === 'path' || each.in === 'query')
  const valueFor = (name: string) => String(call.arguments[name] ?? '')
  const query = given
    .filter((each) => each.in === 'query')
    .map((each) => ({
      key: each.name,
      value: valueFor(each.name),
      ...(!each.required && { disabled: true }),
      // Nearly every operation has these parameters, so only the collection's description explains them.
      ...(!isCommon(each) && { description: firstSentence(each.description ?? '') }),
    }))
  const segments = `${prefix}${path}`
    .replace(/\{([^}]+)\}/g, ':$1')
    .split('/')
    .slice(1)
  return {
    name: source.summary ?? operation.id,
    request: {
      method: call.method,
      description: source.description ?? '',
      header: headersOf(call).map(([key, value]) => ({ key, value })),
      ...(call.basic && {
        auth: {
          type: 'basic',
          basic: [setting('username', '{{clientId}}'), setting('password', '{{clientSecret}}')],
        },
      }),
      url: {
        raw: `{{baseUrl}}/${segments.join('/')}`,
        host: ['{{baseUrl}}'],
        path: segments,
        ...(query.length > 0 && { query }),
        variable: given
          .filter((each) => each.in === 'path')
          .map(({ name, description = '' }) => ({
            key: name,
            value: valueFor(name),
            description: firstSentence(description),
          })),
      },
      ...bodyOf(call),
    },
  }
}

export const headersOf = ({ accept, contentType }: SampleCall): [string, string][] => [
  ['Accept', accept],
  ...(contentType === undefined ? [] : [['Content-Type', contentType] as [string, string]]),
]

/** Returns whether the body is a form. All other bodies are JSON. */
export const isForm = ({ contentType }: SampleCall): boolean =>
  contentType === 'application/x-www-form-urlencoded'

export const formOf = ({ body }: SampleCall): [string, string][] =>
  typeof body === 'object' && body !== null
    ? Object.entries(body).map(([name, value]) => [name, String(value)])
    : []

function bodyOf(call: SampleCall): { body?: Json } {
  if (call.body === undefined) return {}
  if (isForm(call))
    return { body: { mode: 'urlencoded', urlencoded: formOf(call).map(([key, value]) => ({ key, value })) } }
  const raw = JSON.stringify(call.body, null, 2)
  return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } }
}
