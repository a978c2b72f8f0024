import type { Facts, Json, Parameter, Schema } from '@svc-admin/spec'
import type { Block, FieldRow } from '../content/block.ts'
import { heading, prose, table } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import { constraintsOf } from '../model/constraints.ts'
import { type FieldContext, fieldRows, notesOf, pagesOf, typeText, valuesOf } from '../model/fields.ts'
import {
  type BodyModel,
  examplesOf,
  type OperationModel,
  type ResponseModel,
} from '../model/operation-model.ts'
import { nameOf, resolveHeader, resolveSchema } from '../model/resolve.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'

const places = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Header parameters'],
] as const

export function parameterBlocks(
  { decisions: { mark } }: SiteModel,
  { document, id }: VersionModel,
  { parameters }: OperationModel,
): Block[] {
  const context = { document, linkTo: pagesOf(id), mark }
  return places.flatMap(([place, title]): Block[] => {
    const rows = parameters
      .filter((each) => each.in === place)
      .map((each) => parameterRow({ ...context, anchor: place }, each))
    return rows.length > 0 ? [heading(2, title, `${place}-parameters`), { kind: 'fields', rows }] : []
  })
}

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
    ...(example !== undefined && { example: JSON.stringify(example) }),
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
  return [
    heading(2, 'Request body', 'request-body'),
    prose(
      `${operation.requestBody?.description ?? ''} ${schemaText(version, request.content.schema)}`.trim(),
    ),
    ...fieldsBlock(model, version, request, 'request'),
    ...exampleBlocks(request),
  ]
}

export function successBlocks(
  model: SiteModel,
  version: VersionModel,
  { success, operation }: OperationModel,
): Block[] {
  const decided = operation['x-decided']?.success
  const mark = decided ? model.decisions.mark(decided, `response:${operation.operationId}`) : undefined
  return success.flatMap(({ status, response, body }): Block[] => {
    const schema = body ? ` ${schemaText(version, body.content.schema)}` : ' The response has no body.'
    return [
      heading(2, `${status} response`, `response-${status}`),
      prose(`${response.description ?? ''}${schema}${mark ? ` The status ${status} is ${mark}.` : ''}`),
      ...(body ? fieldsBlock(model, version, body, 'response') : []),
      ...exampleBlocks(body),
      ...headerBlocks(version, response.headers),
    ]
  })
}

function headerBlocks(
  { document }: VersionModel,
  headers: Parameters<typeof Object.entries>[0] | undefined,
): Block[] {
  const rows = Object.entries((headers ?? {}) as Record<string, Parameters<typeof resolveHeader>[1]>).map(
    ([name, header]) => {
      const { description = '', example } = resolveHeader(document, header)
      return [code(name), description, example === undefined ? '' : code(String(example))]
    },
  )
  return rows.length > 0
    ? [heading(3, 'Headers', 'headers'), table(['Header', 'Description', 'Example'], rows)]
    : []
}

function schemaText({ document, id }: VersionModel, schema: Schema): string {
  const resolved = resolveSchema(document, schema)
  const list = resolved.type === 'array' && resolved.items?.$ref
  const ref = schema.$ref ?? (list ? resolved.items?.$ref : undefined)
  if (!ref) return ''
  return `Schema: ${list && !schema.$ref ? 'array of ' : ''}${codeLink(nameOf(ref), addresses.schema(id, nameOf(ref)))}.`
}

function fieldsBlock(
  { decisions: { mark } }: SiteModel,
  { document, id }: VersionModel,
  body: BodyModel,
  side: 'request' | 'response',
): Block[] {
  const shown = examplesOf(body)[0]?.value
  const rows = fieldRows(
    { document, linkTo: pagesOf(id), anchor: side, side, mark, shown },
    body.content.schema,
  )
  return rows.length > 0 ? [{ kind: 'fields', rows }] : []
}

function exampleBlocks(body: BodyModel | undefined): Block[] {
  return examplesOf(body).map(({ summary, value }) => ({
    kind: 'code',
    language: 'json',
    text: jsonText(value),
    label: `Example: ${summary}`,
  }))
}

export const jsonText = (value: Json): string => JSON.stringify(value, null, 2)

/** Every error by status, with an example of the most common one. */
export function failureBlocks(
  { inputs }: SiteModel,
  version: VersionModel,
  operation: OperationModel,
): Block[] {
  const { failures } = operation
  if (failures.length === 0) return []
  const rows = failures.flatMap((failure) => failureRows(inputs.facts, failure))
  const typical = typicalFailure(operation)
  const schema = failures.flatMap(({ body }) => body?.content.schema.$ref ?? [])[0]
  return [
    heading(2, 'Errors', 'errors'),
    ...(schema
      ? [
          prose(
            `All errors have the schema ${codeLink(nameOf(schema), addresses.schema(version.id, nameOf(schema)))}. See ${link('how to handle errors', addresses.guide('errors'))}.`,
          ),
        ]
      : []),
    table(['Status', 'Code', 'When'], rows),
    ...(typical ? [typical] : []),
  ]
}

/** A row for each error code of a status. */
function failureRows(
  { errorCodes, tokenErrors }: Facts,
  { status, response, body }: ResponseModel,
): string[][] {
  const about = response.description ?? ''
  // Examples can show codes that no operation returns but the specification source has.
  const codes = response['x-error-codes'] ?? examplesOf(body).map(({ name }) => name)
  const rows = codes.flatMap((name) => {
    const tokenError = tokenErrors[name] && `${about.replace(/\.$/, '')}: ${tokenErrors[name].description}.`
    const when = errorCodes[name]?.when ?? tokenError
    return when ? [[status, codeLink(name, addresses.error(name)), when]] : []
  })
  return rows.length > 0 ? rows : [[status, '', about]]
}

function typicalFailure({ failures, operation }: OperationModel): Block | undefined {
  const wanted = operation['x-failure']?.code
  const holds = (name: string | undefined) =>
    failures.find(({ body }) => examplesOf(body).some((each) => name === undefined || each.name === name))
  const holder = (wanted && holds(wanted)) || holds(undefined)
  const examples = examplesOf(holder?.body)
  const chosen = examples.find(({ name }) => name === wanted) ?? examples[0]
  if (!chosen || !holder) return undefined
  return {
    kind: 'code',
    language: 'json',
    text: jsonText(chosen.value),
    label: `Example: ${holder.status} ${chosen.summary}`,
    isFailure: true,
  }
}
