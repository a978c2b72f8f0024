import { strToU8, zipSync } from 'fflate'
import type { OperationModel } from '../model/operation-model.ts'
import type { VersionModel } from '../model/site-model.ts'
import { type SampleCall, sampleCall } from '../samples/call.ts'
import { formOf, headersOf, isForm, variablesOf } from './postman.ts'

/**
 * A fixed time, so that the same files always produce the same archive. The ZIP format can't represent earlier times.
 */
const noTime = '1980-01-01T00:00:00'

/**
 * Creates a Bruno collection as an archive, with a file for each of the version's operations and a folder for
 * each area.
 */
export function brunoArchive(version: VersionModel): Uint8Array {
  const files = brunoFiles(version)
  const entries = [...files].map(([name, text]) => [name, strToU8(text)] as const)
  return zipSync(Object.fromEntries(entries), { mtime: noTime, level: 9 })
}

/** Returns a Bruno collection's files, by path. */
export function brunoFiles(version: VersionModel): Map<string, string> {
  const { document, areas } = version
  const origin = new URL(document.servers?.[0]?.url ?? '').origin
  const files = new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name: document.info.title, type: 'collection' })}\n`],
    [
      'collection.bru',
      blocks(
        ['auth', [['mode', 'digest']]],
        [
          'auth:digest',
          [
            ['username', '{{publicKey}}'],
            ['password', '{{privateKey}}'],
          ],
        ],
      ),
    ],
    ['environments/default.bru', blocks(['vars', variablesOf(origin)])],
  ])
  for (const [area, operations] of areas)
    for (const [index, operation] of operations.entries())
      files.set(
        `${area}/${operation.id}.bru`,
        requestText(operation, sampleCall(version, operation), index + 1),
      )
  return files
}

type Lines = readonly (readonly [name: string, value: string])[]

const block = (name: string, content: string): string =>
  `${name} {\n${content.replace(/^(?=.)/gm, '  ')}\n}\n`

const lines = (pairs: Lines): string => pairs.map(([name, value]) => `${name}: ${value}`).join('\n')

/** Formats blocks of names and values, and omits empty blocks. */
const blocks = (...all: readonly (readonly [name: string, pairs: Lines])[]): string =>
  all
    .filter(([, pairs]) => pairs.length > 0)
    .map(([name, pairs]) => block(name, lines(pairs)))
    .join('\n')

/** Formats a request in Bruno's language. A `~` marks parameters that Bruno doesn't send. */
function requestText(operation: OperationModel, call: SampleCall, position: number): string {
  const { prefix, path, parameters, operation: source, id } = operation
  const url = `{{baseUrl}}${prefix}${path.replace(/\{([^}]+)\}/g, ':$1')}`
  const form = isForm(call) ? formOf(call) : []
  const kind = call.body === undefined ? 'none' : isForm(call) ? 'formUrlEncoded' : 'json'
  const pairs = (place: string): Lines =>
    parameters
      .filter((each) => each.in === place)
      .map(({ name, required }) => [`${required ? '' : '~'}${name}`, String(call.arguments[name] ?? '')])
  const heads = blocks(
    [
      'meta',
      [
        ['name', source.summary ?? id],
        ['type', 'http'],
        ['seq', String(position)],
      ],
    ],
    [
      call.method.toLowerCase(),
      [
        ['url', url],
        ['body', kind],
        ['auth', call.basic ? 'basic' : 'inherit'],
      ],
    ],
    ['params:query', pairs('query')],
    ['params:path', pairs('path')],
    ['headers', headersOf(call)],
    [
      'auth:basic',
      call.basic
        ? [
            ['username', '{{clientId}}'],
            ['password', '{{clientSecret}}'],
          ]
        : [],
    ],
    ['body:form-urlencoded', form],
  )
  const body = kind === 'json' ? [block('body:json', JSON.stringify(call.body, null, 2))] : []
  const about = source.description ? [block('docs', source.description)] : []
  return [heads, ...body, ...about].join('\n')
}
