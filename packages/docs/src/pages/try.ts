import type { Schema } from '@svc-admin/spec'
import { html } from 'hono/html'
import { type Page, prose } from '../content/block.ts'
import { link, wordsOf } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import { constraintsOf } from '../model/constraints.ts'
import { valuesOf } from '../model/fields.ts'
import { examplesOf, type OperationModel } from '../model/operation-model.ts'
import { resolveSchema } from '../model/resolve.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import type { SharedOperation, TryField, TryFile, TryOperation } from '../model/try-operation.ts'
import { sampleCall } from '../samples/call.ts'

/**
 * Creates the page where readers can send real requests, either to the server that hosts the page or to another server
 * that allows cross-origin requests.
 */
export function tryPage(model: SiteModel): Page {
  const { versions, newest, inputs } = model
  const widget = html`<div id="try" data-from="/try/" data-token="${inputs.facts.tokenEndpoint.path}" data-newest="${newest.id}" data-versions="${versions.map(({ id }) => id).join(' ')}"><noscript><p>This page requires JavaScript. You can also use the curl command on the page of each operation.</p></noscript></div>`
  return {
    path: '/try/',
    title: 'Try it',
    description: 'Send real requests to an API server.',
    section: 'try',
    crumbs: [],
    scripts: ['try.js'],
    data: { 'operations.json': JSON.stringify(packed(tryOperations(model))) },
    blocks: [
      prose(
        `Send a real request. The request goes only to the server that you enter. See ${link('authentication', addresses.guide('authentication'))} for the credentials.`,
      ),
      {
        kind: 'widget',
        html: String(widget),
        markdown: 'This page requires a browser. Run `npm start` in the repository and open `/try/`.',
      },
    ],
  }
}

/**
 * Returns the data for the form of every operation. If an operation is the same in several versions, these versions
 * share the data.
 */
export function tryOperations(model: SiteModel): SharedOperation[] {
  return model.versions.flatMap((version) =>
    version.operations.flatMap((operation): SharedOperation[] => {
      const span = model.spans.unchanged(version, operation.id)
      if (span.at(-1) !== version) return []
      const shared = tryOperation(version, operation)
      const holder = model.spans.operation(version, operation.id).at(-1) ?? version
      return [
        {
          ...shared,
          versions: span.map(({ id }) => id),
          ...(holder !== version && { pageIn: holder.id }),
        },
      ]
    }),
  )
}

/** Stores each field only once, because many operations have the same fields. */
export function packed(operations: readonly SharedOperation[]): TryFile {
  const indexes = new Map<string, number>()
  const indexOf = (field: TryField): number => {
    const text = JSON.stringify(field)
    const index = indexes.get(text) ?? indexes.size
    indexes.set(text, index)
    return index
  }
  const packedOperations = operations.map(({ parameters, body, ...operation }) => ({
    ...operation,
    parameters: parameters.map(indexOf),
    ...(body && { body: body.map(indexOf) }),
  }))
  return { fields: [...indexes.keys()].map((text) => JSON.parse(text)), operations: packedOperations }
}

function tryOperation(version: VersionModel, operation: OperationModel): TryOperation {
  const { arguments: given, accept, contentType } = sampleCall(version, operation)
  const { id, method, prefix, path, operation: source, request, basic, tag } = operation
  return {
    id,
    tag,
    summary: source.summary ?? id,
    method: method.toUpperCase(),
    path: `${prefix}${path}`,
    accept,
    basic,
    paged: source['x-paged'] ?? false,
    parameters: operation.parameters
      .filter((each) => each.in !== 'header')
      .map((each) => ({
        ...parameterField(version, each),
        ...(each.name in given && { value: String(given[each.name]) }),
      })),
    ...(request && contentType !== undefined && { contentType, body: bodyFields(version, operation) }),
  }
}

function parameterField(
  { document }: VersionModel,
  parameter: OperationModel['parameters'][number],
): TryField {
  const schema = resolveSchema(document, parameter.schema)
  return {
    ...fieldOf(parameter.name, schema, parameter.required ?? false),
    about: aboutOf(schema, parameter.description),
    place: parameter.in === 'path' ? 'path' : 'query',
  }
}

function bodyFields({ document }: VersionModel, operation: OperationModel): TryField[] {
  if (!operation.request) return []
  const schema = resolveSchema(document, operation.request.content.schema)
  const [example] = examplesOf(operation.request)
  const given: unknown = example?.value
  const value = (name: string): unknown =>
    typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined
  if (!schema.properties)
    return [
      {
        ...fieldOf('', schema, true),
        about: aboutOf(schema),
        place: 'body',
        value: JSON.stringify(given ?? null, null, 2),
      },
    ]
  return Object.entries(schema.properties).flatMap(([name, property]): TryField[] => {
    const resolved = resolveSchema(document, property)
    if (resolved.readOnly) return []
    const field = fieldOf(name, resolved, schema.required?.includes(name) ?? false)
    const shown = value(name)
    const text = typeof shown === 'string' && field.type === 'string' ? shown : JSON.stringify(shown, null, 2)
    return [
      {
        ...field,
        about: aboutOf(resolved),
        place: 'body',
        ...(shown !== undefined && { value: text }),
      },
    ]
  })
}

function fieldOf(name: string, schema: Schema, required: boolean): Omit<TryField, 'about' | 'place'> {
  return {
    name,
    required,
    type: scalarTypes.find((each) => each === schema.type) ?? 'json',
    ...(valuesOf(schema).length > 0 && { values: valuesOf(schema), open: schema.enum === undefined }),
    ...(typeof schema.pattern === 'string' && { pattern: schema.pattern }),
    ...numbersOf(schema),
  }
}

const scalarTypes = ['string', 'integer', 'number', 'boolean'] as const
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum'] as const

function numbersOf(schema: Schema): Partial<Record<(typeof bounds)[number], number>> {
  const given = bounds.flatMap((name) => {
    const value = schema[name]
    return typeof value === 'number' ? [[name, value] as const] : []
  })
  return Object.fromEntries(given)
}

function aboutOf(schema: Schema, description = schema.description ?? ''): string {
  const constraints = constraintsOf(schema).map((each) => `${sentence(each.replaceAll('`', ''))}.`)
  return [wordsOf(description), ...constraints].join(' ').trim()
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
