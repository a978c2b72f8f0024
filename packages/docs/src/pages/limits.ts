import { counted, type Facts, rangeText, type Schema } from '@svc-admin/spec'
import {
  type Block,
  heading,
  type OperationItem,
  type Page,
  prose,
  type TableRow,
  table,
} from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { strengthText } from '../content/strength.ts'
import { addresses } from '../model/addresses.ts'
import { resolveSchema } from '../model/resolve.ts'
import type { SiteModel } from '../model/site-model.ts'
import { durationText, sizeText } from '../model/units.ts'
import { requirementsCovering } from './covering.ts'
import { operationItem } from './operation.ts'
import { requirementAddress } from './requirement-rows.ts'

type Limit = Facts['limits'][string]

export function limitsPage(model: SiteModel): Page {
  const limits = Object.entries(model.inputs.facts.limits)
  return {
    path: '/limits/',
    title: 'Limits',
    description: 'All API limits and where they apply.',
    section: 'limits',
    crumbs: [],
    blocks: [
      prose(
        `Requests that exceed a limit return an error. See also ${link('rate limits', addresses.guide('rate-limits'))} and ${link('paging', addresses.guide('paging'))}.`,
        'lead',
      ),
      table(
        ['Limit', 'Value', 'Description', 'Applies to', 'Provenance'],
        limits.map(([id, limit]) => limitRow(model, id, limit)),
      ),
      ...operationBlocks(model, limits),
    ],
  }
}

function limitRow(model: SiteModel, id: string, limit: Limit): TableRow {
  const { labels, items } = placesOfLimit(model, id, limit)
  const operations =
    items.length > mostLinks
      ? [link(counted(items.length, 'operation'), `#${operationsAnchor(id)}`)]
      : items.map(({ title, href }) => link(title, href))
  const requirements = requirementsCovering(model, `limit:${id}`).map((row) =>
    codeLink(row.id, requirementAddress(row)),
  )
  return {
    id,
    cells: [
      code(id),
      limitText(limit),
      limit.about,
      [...labels, ...operations].join(', '),
      [strengthText(limit.strength, limit.source), ...requirements].join(', '),
    ],
  }
}

/**
 * The maximum number of operations to list in the table. If a limit applies to more operations, they are listed below
 * the table.
 */
const mostLinks = 3

const operationsAnchor = (id: string): string => `${id}-operations`

function operationBlocks(model: SiteModel, limits: readonly [string, Limit][]): Block[] {
  const folds = limits.flatMap(([id, limit]): Block[] => {
    const { items } = placesOfLimit(model, id, limit)
    if (items.length <= mostLinks) return []
    const summary = `${code(id)}: ${counted(items.length, 'operation')}`
    return [{ kind: 'fold', id: operationsAnchor(id), summary, blocks: [{ kind: 'operations', items }] }]
  })
  return [heading(2, 'Operations by limit', 'operations'), ...folds]
}

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Describes the bounds of a limit in words. Properties that have no predefined wording are shown by name. */
export function limitText({ about, strength: _, source: __, ...bounds }: Limit): string {
  const { minimum, maximum, minLength, maxLength, length, minItems, maxItems, ...others } = bounds
  const { values, default: usual, windowSeconds, seconds, bytes, depth, ...rest } = others
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
    typeof depth === 'number' ? `at most ${counted(depth, 'level')} of nesting` : undefined,
    usual === undefined ? undefined : `default ${code(String(usual))}`,
    ...Object.entries(rest).map(([name, value]) => `${name} ${code(String(value))}`),
  ]
  return parts.filter(Boolean).join(' · ')
}

const timestampOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '')

const keywords = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const

/** Returns whether a schema has the same bounds as the limit. */
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
  /** The IDs of the operations that use the parameter or schema. */
  readonly operations: readonly string[]
}

/**
 * Finds where a limit applies: in the parameters, schemas and operations that are covered by the limit's requirements.
 * If a requirement covers several limits, only schemas and parameters with the same bounds as the limit are included.
 */
function placesOfLimit(
  model: SiteModel,
  id: string,
  limit: Limit,
): { labels: readonly string[]; items: readonly OperationItem[] } {
  const rows = requirementsCovering(model, `limit:${id}`)
  const facts = new Set(rows.flatMap(({ covers = [] }) => covers))
  const places = [...facts].flatMap((fact) => placesOf(model, fact, limit))
  const named = new Set([...rows, ...places].flatMap(({ operations = [] }) => operations))
  const items = [...named].flatMap((operationId) => {
    const newest = model.operationIds.get(operationId)?.at(-1)
    const operation = newest?.byId.get(operationId)
    return newest && operation ? [operationItem(newest, operation)] : []
  })
  return { labels: [...new Set(places.map(({ label }) => label))], items }
}

/**
 * Finds the parameter or schema for a fact such as `parameter:*.pageNum` or `schema:BucketName`. Returns nothing if the
 * bounds of the parameter or schema differ from the limit.
 */
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
