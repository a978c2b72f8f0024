import { counted, type Header, type Json, type Parameter, type Schema } from '@svc-admin/spec'
import type { Block, FieldRow } from '../content/block.ts'
import { heading, prose, table } from '../content/block.ts'
import { code, codeLink, slugOf } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import { constraintsOf } from '../model/constraints.ts'
import { type FieldContext, fieldRows, notesOf, pagesOf, typeText, valuesOf } from '../model/fields.ts'
import {
  type BodyModel,
  examplesOf,
  isCommon,
  type OperationModel,
  type ResponseModel,
} from '../model/operation-model.ts'
import { nameOf, resolveSchema } from '../model/resolve.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'

const places = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Header parameters'],
] as const

export function parameterBlocks(
  model: SiteModel,
  version: VersionModel,
  { parameters }: OperationModel,
): Block[] {
  return places.flatMap(([place, title]): Block[] => {
    const rows = rowsOf(
      model,
      version,
      parameters.filter((each) => each.in === place && !isCommon(each)),
    )
    return rows.length > 0 ? [heading(2, title, `${place}-parameters`), { kind: 'fields', rows }] : []
  })
}

export function commonParameterBlocks(
  model: SiteModel,
  version: VersionModel,
  { parameters }: OperationModel,
): Block[] {
  const rows = rowsOf(model, version, parameters.filter(isCommon))
  if (rows.length === 0) return []
  const names = rows.map(({ name }) => code(name)).join(', ')
  return [{ kind: 'fold', summary: `Common parameters: ${names}`, blocks: [{ kind: 'fields', rows }] }]
}

const rowsOf = (
  { decisions: { mark } }: SiteModel,
  { document, id }: VersionModel,
  parameters: readonly Parameter[],
): FieldRow[] =>
  parameters.map((each) => parameterRow({ document, linkTo: pagesOf(id), mark, anchor: each.in }, each))

export function parameterRow(
  { document, linkTo, anchor, mark }: Omit<FieldContext, 'side'>,
  { name, required = false, description = '', schema, example, ...standing }: Parameter,
): FieldRow {
  const resolved = resolveSchema(document, schema)
  return {
    anchor: `${anchor}.${name}`,
    name,
    depth: 0,
    type: typeText(document, linkTo, schema),
    required,
    notes: notesOf(resolved),
    description,
    constraints: constraintsOf(resolved, mark),
    values: valuesOf(resolved),
    valuesOpen: resolved.enum === undefined,
    ...(example !== undefined && !required && { example: JSON.stringify(example) }),
    ...(standing['x-strength'] && { strength: standing['x-strength'] }),
    ...(standing['x-source'] && { source: standing['x-source'] }),
  }
}

export function bodyBlocks(
  model: SiteModel,
  version: VersionModel,
  { request, operation }: OperationModel,
): Block[] {
  if (!request) return []
  const rows = bodyRows(model, version, request, 'request')
  const [, ...others] = examplesOf(request)
  return [
    heading(2, 'Request body', 'request-body'),
    prose(
      `${operation.requestBody?.description ?? ''} ${schemaText(version, request.content.schema)}`.trim(),
    ),
    ...(rows.length > 0 ? [{ kind: 'fields', rows } as const] : []),
    ...otherExamples(others),
  ]
}

/** Shows all examples except the first, which already appears next to the text. */
function otherExamples(examples: ReturnType<typeof examplesOf>): Block[] {
  return examples.map(({ summary, value }) => ({
    kind: 'fold',
    summary: `Example: ${summary}`,
    blocks: [{ kind: 'code', language: 'json', text: jsonText(value), label: summary }],
  }))
}

export function successBlocks(model: SiteModel, version: VersionModel, operation: OperationModel): Block[] {
  const decided = operation.operation['x-decided']?.success
  const mark = decided ? model.decisions.mark(decided, `response:${operation.id}`) : undefined
  return operation.success.flatMap(({ status, response, body }): Block[] => {
    const schema = body ? ` ${schemaText(version, body.content.schema)}` : ' The response has no body.'
    const [, ...others] = examplesOf(body)
    return [
      heading(2, `${status} response`, `response-${status}`),
      prose(`${response.description ?? ''}${schema}`),
      ...(mark ? [prose(`The status ${status} is ${mark}.`, 'provenance')] : []),
      ...(body ? responseFields(model, version, operation.request, body) : []),
      ...otherExamples(others),
      ...headerBlocks(response.headers),
    ]
  })
}

/** Shows the fields of the response. Fields that are also in the request are listed without a description. */
function responseFields(
  model: SiteModel,
  version: VersionModel,
  request: BodyModel | undefined,
  body: BodyModel,
): Block[] {
  const rows = bodyRows(model, version, body, 'response')
  if (rows.length === 0) return []
  const sent = request ? bodyRows(model, version, request, 'request').filter(({ depth }) => depth === 0) : []
  const same = sent.filter(({ name, type }) =>
    rows.some((row) => row.depth === 0 && row.name === name && row.type === type),
  )
  if (same.length < 2 || same.length * 2 < sent.length) return [{ kind: 'fields', rows }]
  const names = new Set(same.map(({ name }) => name))
  const rest = rows.filter(({ anchor }) => !names.has(anchor.split('.')[1] ?? ''))
  return [
    {
      kind: 'repeated',
      names: [...names],
      from: 'request',
      to: 'response',
      isAll: same.length === sent.length,
      isFollowed: rest.length > 0,
    },
    ...(rest.length > 0 ? [{ kind: 'fields', rows: rest } as const] : []),
  ]
}

/**
 * Lists the headers of a response. The values are shown only for headers that are specific to this operation, because a
 * separate page describes all other headers.
 */
function headerBlocks(headers: Readonly<Record<string, Header>> = {}): Block[] {
  const linked = (name: string) => codeLink(name, `${addresses.headers}#${slugOf(name)}`)
  const names = Object.keys(headers).map(linked)
  const rows = Object.entries(headers).flatMap(([name, { $ref, description = '', example }]) =>
    $ref === undefined
      ? [[linked(name), description, example === undefined ? '' : code(String(example))]]
      : [],
  )
  return [
    ...(names.length > 0 ? [prose(`Response headers: ${names.join(', ')}.`, 'quiet')] : []),
    ...(rows.length > 0
      ? [
          {
            kind: 'fold',
            id: 'headers',
            summary: `Values of ${counted(rows.length, 'header')}`,
            blocks: [table(['Header', 'Description', 'Example'], rows)],
          } as const,
        ]
      : []),
  ]
}

function schemaText({ document, id }: VersionModel, schema: Schema): string {
  const resolved = resolveSchema(document, schema)
  const list = resolved.type === 'array' && resolved.items?.$ref
  const ref = schema.$ref ?? (list ? resolved.items?.$ref : undefined)
  if (!ref) return ''
  return `Schema: ${list && !schema.$ref ? 'array of ' : ''}${codeLink(nameOf(ref), addresses.schema(id, nameOf(ref)))}.`
}

/** Returns the fields of a body. Example values come from the example that is shown next to the text. */
const bodyRows = (
  { decisions: { mark } }: SiteModel,
  { document, id }: VersionModel,
  body: BodyModel,
  side: 'request' | 'response',
): FieldRow[] =>
  sortedByNeed(
    side,
    fieldRows({ document, linkTo: pagesOf(id), anchor: side, side, mark }, body.content.schema).map(
      ({ example: _, ...row }) => (side === 'request' ? row : asResponse(row)),
    ),
  )

/**
 * Adjusts a field for a response. Required fields are always present in responses, so `always present` replaces
 * `required`. The note `read-only` is removed because it applies to every field of a response.
 */
const asResponse = ({ required, notes, ...row }: FieldRow): FieldRow => ({
  ...row,
  required: false,
  notes: [
    ...notes.filter((note) => note !== 'read-only'),
    ...(required ? [row.requiredMark ? `always present ${row.requiredMark}` : 'always present'] : []),
  ],
})

/** Moves the required fields of a request to the top. Nested fields stay with their parents. */
function sortedByNeed(side: 'request' | 'response', rows: readonly FieldRow[]): FieldRow[] {
  if (side === 'response') return [...rows]
  const groups: FieldRow[][] = []
  for (const row of rows) {
    if (row.depth === 0) groups.push([])
    groups.at(-1)?.push(row)
  }
  const isNeeded = ([first]: readonly FieldRow[]) => first?.required === true
  return [...groups.filter(isNeeded), ...groups.filter((group) => !isNeeded(group))].flat()
}

export const jsonText = (value: Json): string => JSON.stringify(value, null, 2)

/** Links to the schemas of the response bodies, for the list of facts at the top of the page. */
export function returnText(version: VersionModel, { success }: OperationModel): string {
  return success
    .map(({ status, body }: ResponseModel) => {
      const schema = body && schemaText(version, body.content.schema).replace(/^Schema: |\.$/g, '')
      return [`**${status}**`, schema].filter(Boolean).join(' ')
    })
    .join(' or ')
}
