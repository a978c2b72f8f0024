import { type Facts, rangeText, type Schema } from '@svc-admin/spec'
import { type Block, heading, list, type Page, prose, table } from '../content/block.ts'
import { code, codeLink } from '../content/inline.ts'
import { strengthText } from '../content/strength.ts'
import { addresses } from '../model/addresses.ts'
import { resolveSchema } from '../model/resolve.ts'
import type { SiteModel } from '../model/site-model.ts'
import { durationText, sizeText } from '../model/units.ts'
import { requirementsCovering, requirementsOf } from './covering.ts'
import { operationItem } from './operation.ts'

type Limit = Facts['limits'][string]

/** Pages of every limit, and the list of them. */
export function limitPages(model: SiteModel): Page[] {
  const limits = Object.entries(model.inputs.facts.limits)
  return [limitList(limits), ...limits.map(([id, limit]) => limitPage(model, id, limit))]
}

function limitList(limits: readonly [string, Limit][]): Page {
  return {
    path: '/limits/',
    title: 'Limits',
    description: 'Every limit of the API, with its source.',
    section: 'facts',
    crumbs: [],
    blocks: [
      table(
        ['Limit', 'Applies to', 'Value', 'Strength'],
        limits.map(([id, limit]) => [
          codeLink(id, addresses.limit(id)),
          limit.about,
          limitText(limit),
          strengthText(limit.strength, limit.source),
        ]),
      ),
    ],
  }
}

function limitPage(model: SiteModel, id: string, limit: Limit): Page {
  return {
    path: addresses.limit(id),
    title: id,
    kicker: 'Limit',
    description: limit.about,
    section: 'facts',
    crumbs: [['Limits', '/limits/']],
    blocks: [
      prose(limit.about),
      {
        kind: 'facts',
        items: [
          ['Value', limitText(limit)],
          ['Strength', strengthText(limit.strength, limit.source)],
        ],
      },
      ...placeBlocks(model, id, limit),
      ...requirementsOf(model, `limit:${id}`),
    ],
  }
}

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** The bounds of a limit in words. Other properties are listed by name. */
export function limitText({ about, strength: _, source: __, ...bounds }: Limit): string {
  const { minimum, maximum, minLength, maxLength, length, minItems, maxItems, ...others } = bounds
  const { values, default: usual, windowSeconds, seconds, bytes, ...rest } = others
  const times = rangeText(numberOr(minimum), numberOr(maximum))
  const since =
    about.includes('UNIX epoch') && typeof minimum === 'number' ? ` (${timestampOf(minimum)})` : ''
  const parts = [
    rangeText(numberOr(minLength ?? length), numberOr(maxLength ?? length), 'character'),
    rangeText(numberOr(minItems), numberOr(maxItems), 'item'),
    times &&
      `${times}${since}${typeof windowSeconds === 'number' ? ` in ${durationText(windowSeconds)}` : ''}`,
    typeof minimum === 'string' ? `at least ${minimum}` : undefined,
    Array.isArray(values) ? values.map((value) => code(String(value))).join(', ') : undefined,
    typeof seconds === 'number' ? durationText(seconds) : undefined,
    typeof bytes === 'number' ? `at most ${sizeText(bytes)}` : undefined,
    usual === undefined ? undefined : `default ${code(String(usual))}`,
    ...Object.entries(rest).map(([name, value]) => `${name} ${code(String(value))}`),
  ]
  return parts.filter(Boolean).join(' · ')
}

const timestampOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '')

const keywords = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const

/** Whether a schema has all the bounds of a limit. */
function carries(schema: Schema, limit: Limit): boolean {
  const { length, values } = limit
  if (typeof length === 'number')
    return String(schema.pattern).includes(`{${length}}`) || schema.maxLength === length
  if (values !== undefined) return JSON.stringify(schema.enum) === JSON.stringify(values)
  const set = keywords.filter((keyword) => limit[keyword] !== undefined)
  return set.length > 0 && set.every((keyword) => schema[keyword] === limit[keyword])
}

interface Place {
  readonly label: string
  /** Ids of the operations that use it. */
  readonly operations: readonly string[]
}

/**
 * What a limit applies to: parameters, schemas and operations that one of its requirements covers. If several limits
 * share a requirement, each one only gets the places that have its own bounds.
 */
function placeBlocks(model: SiteModel, id: string, limit: Limit): Block[] {
  const rows = requirementsCovering(model, `limit:${id}`)
  const facts = new Set(rows.flatMap(({ covers = [] }) => covers))
  const places = [...facts].flatMap((fact) => placesOf(model, fact, limit))
  const named = new Set([...rows, ...places].flatMap(({ operations = [] }) => operations))
  const items = [...named].flatMap((operationId) => {
    const newest = model.operationIds.get(operationId)?.at(-1)
    const operation = newest?.byId.get(operationId)
    return newest && operation ? [operationItem(newest, operation)] : []
  })
  if (places.length + items.length === 0) return []
  return [
    heading(2, 'Applies to', 'applies-to'),
    ...(places.length > 0 ? [list([...new Set(places.map(({ label }) => label))])] : []),
    ...(items.length > 0 ? [{ kind: 'operations', items } as const] : []),
  ]
}

/** The parameter or schema that `parameter:*.pageNum` or `schema:BucketName` names, if it has the bounds. */
function placesOf(model: SiteModel, fact: string, limit: Limit): Place[] {
  const [kind, name = ''] = fact.split(':')
  if (kind === 'parameter') return parametersOf(model, name, limit)
  const holder = model.versions.findLast(({ document }) => name in document.components.schemas)
  const schema = holder?.document.components.schemas[name]
  if (kind !== 'schema' || !holder || !schema || !carries(schema, limit)) return []
  return [{ label: `schema ${codeLink(name, addresses.schema(holder.id, name))}`, operations: [] }]
}

function parametersOf({ operationIds }: SiteModel, name: string, limit: Limit): Place[] {
  const [owner = '', parameter = ''] = name.split('.')
  const asked = owner === '*' ? [...operationIds.keys()] : [owner]
  const operations = asked.filter((id) => {
    const newest = operationIds.get(id)?.at(-1)
    return newest?.byId
      .get(id)
      ?.parameters.some(
        (each) => each.name === parameter && carries(resolveSchema(newest.document, each.schema), limit),
      )
  })
  return operations.length > 0 ? [{ label: `parameter ${code(parameter)}`, operations }] : []
}
