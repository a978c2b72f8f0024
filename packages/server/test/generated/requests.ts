import type { Json, Parameter, Schema } from '@svc-admin/spec'
import { limits, versions } from '@svc-admin/types'
import { documentOf } from '../../src/specification/documents.ts'
import { bodiesOf, type Cell, cells, mediaOf, operationOf, pathValuesOf } from '../documented.ts'
import { twinOf } from '../twin.ts'
import type { Chance } from './chance.ts'
import { type ValueSource, valueFor } from './values.ts'

export interface GeneratedRequest {
  readonly name: string
  readonly method: string
  readonly target: string
  /** The public key of the demo credentials to use. If undefined, the request has no credentials. */
  readonly as: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface RequestSource {
  readonly chance: Chance
  readonly identifiers: readonly string[]
}

/**
 * The data that is needed for all requests for an operation in a version. The data is calculated only once per
 * operation and version.
 */
interface CellFacts {
  readonly cell: Cell
  readonly places: readonly Readonly<Record<string, string>>[]
  readonly bodies: readonly Json[]
  readonly schema: Schema | undefined
  readonly path: readonly Parameter[]
  readonly query: readonly Parameter[]
}

const facts: readonly CellFacts[] = cells.map((cell) => {
  const parameters = parametersOf(cell)
  return {
    cell,
    places: pathValuesOf(cell),
    bodies: bodiesOf(cell),
    schema: mediaOf(cell)?.schema,
    path: parameters.filter((one) => one.in === 'path'),
    query: parameters.filter((one) => one.in === 'query'),
  }
})

/** Generates a request for a random operation and version. The request can be valid, almost valid or invalid. */
export function generateRequest(source: RequestSource): GeneratedRequest {
  const { chance } = source
  const own = chance.maybe(facts)
  if (!own) throw new Error('The documents contain no operations')
  const { cell } = own
  const values: ValueSource = {
    ...source,
    document: documentOf(cell.version.id),
    wild: chance.pick([0, 0, 2, 10]),
  }
  const { method } = cell.route.row
  const odd = chance.percent(2)
  return {
    name: cell.name,
    method: odd ? chance.pick(['HEAD', 'OPTIONS', 'GET', 'PUT', 'POST', 'PATCH', 'DELETE']) : method,
    target: cell.route.prefix + placeOf(values, own) + queryOf(values, own),
    as: asker(chance),
    headers: headersOf(chance, cell),
    body: bodyOf(values, own),
  }
}

/**
 * Returns a caller that usually has the required role, because requests from other callers fail before most of the
 * checks run.
 */
function asker(chance: Chance): string | undefined {
  if (chance.percent(90)) return 'orgowner'
  return chance.pick([
    'readonly',
    'projownr',
    'bakmangr',
    'svcadmin',
    'foreignk',
    'norolekk',
    'netlimit',
    undefined,
  ])
}

function placeOf(source: ValueSource, { cell, places, path }: CellFacts): string {
  const { chance } = source
  const place = { ...chance.maybe(places) }
  for (const { name, schema } of path) {
    const chosen = chance.below(100)
    if (name.endsWith('Id') && name !== 'groupId' && name !== 'orgId' && chosen < 25) {
      place[name] = chance.maybe(source.identifiers) ?? ''
    } else if (chosen >= 97) place[name] = chance.pick(oddSegments)
    else if (chosen >= 94) place[name] = String(valueFor(source, schema)).slice(0, 2000)
    else if (chosen >= 92) place[name] = twinOf(place[name] ?? '')
  }
  return cell.route.row.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(place[name] ?? ''))
}

const oddSegments = [
  '%zz',
  '%00',
  '..',
  'nobody',
  'a'.repeat(300),
  "'",
  'constructor',
  '%F0%9F%A6%84',
  '-',
  '0',
  ' ',
] as const

/** Percent-encodes a text after removing unpaired surrogates, which can't be percent-encoded. */
const encoded = (text: string): string =>
  text.startsWith('%') ? text : encodeURIComponent(text.replace(/\p{Surrogate}/gu, '')) || '%20'

function queryOf(source: ValueSource, { query }: CellFacts): string {
  const { chance } = source
  const pairs = query.flatMap(({ name, schema, required }) => {
    if (!chance.percent(required ? 90 : 20)) return []
    const value = chance.percent(85) ? valueFor({ ...source, wild: 0 }, schema) : chance.pick(oddQueryValues)
    return [`${name}=${encoded(String(value))}`]
  })
  if (chance.percent(2))
    pairs.push(chance.pick(['unknown=1', '=', '__proto__=1', 'pretty=true&pretty=true', '%zz=1']))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

const oddQueryValues = [
  '',
  '0',
  '-1',
  String(limits.itemsPerPage.maximum + 1),
  '1e3',
  'TRUE',
  '%zz',
  'null',
  '99999999999999999999',
  '2026-13-01',
  'a,b',
  '[]',
] as const

function headersOf(chance: Chance, { route, version }: Cell): Record<string, string> {
  const { mediaType, requestMediaType = mediaType } = version
  const newest = `application/vnd.svc.${versions.at(-1)?.id}+json`
  const usual = route.generation === 'v1.0' ? mediaType : chance.pick([mediaType, mediaType, newest])
  const accept = chance.percent(95) ? usual : chance.pick(oddTypes)
  const type = chance.percent(97) ? (requestMediaType ?? mediaType) : chance.pick(oddTypes)
  return { accept, 'content-type': type }
}

const oddTypes = [
  '*/*',
  'application/*',
  'application/json',
  'text/html',
  '',
  'application/vnd.svc.2022-01-01+json',
  ';q=1',
  'application/vnd.svc.2024-02-30+json',
  'application/vnd.svc.2099-01-01+json',
  'application/vnd.svc.2023-01-01+json;q=0',
  'application/vnd.svc.2025-03-12+json, application/json;q=0.5',
  'application/vnd.svc.preview+json',
  'a/b;c="d',
] as const

function bodyOf(source: ValueSource, { cell, bodies, schema }: CellFacts): string | undefined {
  const { chance } = source
  if (!schema || chance.percent(1))
    return chance.percent(5) && cell.route.row.method !== 'GET' ? '{}' : undefined
  if (chance.percent(3)) return chance.pick(oddBodies)
  const shown = chance.maybe(bodies)
  if (shown === undefined || chance.percent(45)) return JSON.stringify(valueFor(source, schema))
  return JSON.stringify(chance.percent(40) ? shown : blend(source, schema, shown))
}

const oddBodies = [
  '',
  ' ',
  '{',
  'null',
  '[]',
  '1',
  '"x"',
  '{}',
  '{"a":1,"a":2}',
  '{"__proto__":{}}',
  '\ufeff{}',
  '[{}]',
  '{"a":1e999}',
] as const

/** Returns a documented body with some fields omitted or replaced by generated values. */
function blend(source: ValueSource, schema: Schema, shown: Json): Json {
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return valueFor(source, schema)
  const made = valueFor({ ...source, wild: 0 }, schema)
  const other = typeof made === 'object' && made !== null && !Array.isArray(made) ? made : {}
  const names = [...new Set([...Object.keys(shown), ...Object.keys(other)])]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = source.chance.percent(20) ? other[name] : (shown[name] ?? other[name])
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

function parametersOf(cell: Cell): Parameter[] {
  const document = documentOf(cell.version.id)
  const shared = document.paths[cell.route.row.path]?.parameters ?? []
  return [...shared, ...(operationOf(cell).parameters ?? [])].flatMap((parameter) => {
    const name = parameter.$ref?.split('/').at(-1)
    const found = name === undefined ? parameter : document.components.parameters[name]
    return found ? [found] : []
  })
}
