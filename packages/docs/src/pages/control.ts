import type { Operation, Parameter, Response } from '@svc-admin/spec'
import { type Block, heading, type Page, prose } from '../content/block.ts'
import { link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import {
  bodyOf,
  type ControlOperation,
  controlOperations,
  controlDocument as document,
  resolved,
} from '../model/control-document.ts'
import { type FieldContext, fieldRows } from '../model/fields.ts'
import type { SiteModel } from '../model/site-model.ts'
import { parameterRow } from './operation-parts.ts'

/** The name of the schema with the fields that all seeded resources have. */
const seeded = 'Seeded'

type Context = Omit<FieldContext, 'anchor'>

/** Creates the page about the sandbox's control interface from its OpenAPI document. */
export function controlPage({ newest }: SiteModel): Page {
  const context: Context = {
    document,
    linkTo: (name, of) =>
      of === 'resource'
        ? addresses.schema(newest.id, name)
        : name === seeded
          ? '/sandbox/#seeded'
          : undefined,
    side: 'both',
    mark: () => '',
    isApart: (name) => name === seeded,
  }
  return {
    path: addresses.control,
    title: document.info.title,
    description: 'Manage a sandbox’s worlds, clock, faults, events and request log.',
    section: 'implementers',
    crumbs: [],
    blocks: [
      prose(String(document.info.description)),
      prose(`Also available as ${link('an OpenAPI document', '/downloads/#control')}.`),
      ...document.tags.flatMap(({ name, description }) => [
        heading(2, name, anchorOf(name)),
        prose(description),
        ...operationsOf(name).flatMap((operation) => operationBlocks(context, operation)),
      ]),
      ...sharedBlocks(context),
    ],
  }
}

const operationsOf = (tag: string): ControlOperation[] =>
  controlOperations.filter(({ operation }) => operation.tags.includes(tag))

function operationBlocks(
  context: Context,
  { method, path, operation, parameters }: ControlOperation,
): Block[] {
  return [
    heading(3, operation.summary, operation.operationId),
    { kind: 'endpoint', method, prefix: '', path },
    prose(operation.description),
    ...details(
      ...parameterBlocks(context, operation, parameters),
      ...bodyBlocks(context, operation),
      ...Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([status, response]) =>
          responseBlocks(context, operation, status, resolved<Response>(response)),
        ),
    ),
  ]
}

/**
 * Collapses the details because the page describes every operation of the interface and would otherwise be too long.
 */
const details = (...blocks: Block[]): Block[] =>
  blocks.length > 0 ? [{ kind: 'fold', summary: 'Request and response', blocks }] : []

function parameterBlocks(
  context: Context,
  { operationId }: Operation,
  parameters: readonly Parameter[],
): Block[] {
  if (parameters.length === 0) return []
  const rows = parameters.map((each) =>
    parameterRow({ ...context, anchor: `${operationId}.${each.in}` }, each),
  )
  return [prose('**Parameters.**'), { kind: 'fields', rows }]
}

function bodyBlocks(context: Context, operation: Operation): Block[] {
  const { operationId } = operation
  const body = bodyOf(operation)
  if (!body) return []
  const first = controlOperations.find((each) => bodyOf(each.operation)?.schema === body.schema)
  const isShown = first !== undefined && first.operation !== operation
  const like = first?.operation
  const rows = isShown
    ? []
    : fieldRows({ ...context, anchor: `${operationId}.request`, shown: body.example }, body.schema)
  return [
    prose(
      isShown && like
        ? `**Request body.** The same as for ${link(`“${like.summary}”`, `#${like.operationId}`)}.`
        : `**Request body.** ${body.schema.description ?? ''}`,
    ),
    ...(rows.length > 0 ? [{ kind: 'fields', rows } as const] : []),
    { kind: 'code', language: 'json', text: JSON.stringify(body.example, null, 2) },
  ]
}

function responseBlocks(
  context: Context,
  { operationId }: Operation,
  status: string,
  { description = '', content = {} }: Response,
): Block[] {
  const [[mediaType, media] = []] = Object.entries(content)
  if (!mediaType || !media?.schema) return []
  const rows = fieldRows({ ...context, anchor: `${operationId}.response` }, media.schema)
  return [
    prose(
      mediaType === 'application/json'
        ? `**${status} response.** ${description}${rows.length > 0 ? '' : ' An object without fields.'}`
        : `**${status} response.** ${description} Media type: \`${mediaType}\`.`,
    ),
    ...(rows.length > 0 ? [{ kind: 'fields', rows } as const] : []),
  ]
}

/** Describes the schemas that several operations use. */
function sharedBlocks(context: Context): Block[] {
  const { schemas } = document.components
  const part = (name: string, title: string, id: string): Block[] => {
    const schema = schemas[name] ?? {}
    const rows = fieldRows({ ...context, anchor: id }, schema)
    return [heading(3, title, id), prose(schema.description ?? ''), { kind: 'fields', rows }]
  }
  return [
    heading(2, 'Shared schemas', 'schemas'),
    prose('Many operations use these schemas.'),
    ...part(seeded, 'Seeded resources', 'seeded'),
    ...part('Refusal', 'Errors', 'errors'),
  ]
}

const anchorOf = (name: string): string => name.toLowerCase()
