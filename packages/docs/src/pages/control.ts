import { loadControlDocument, type Operation, type Schema } from '@svc-admin/spec'
import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code } from '../content/inline.ts'

const document = loadControlDocument()

interface ControlOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The page of the control interface of the sandbox, from its document. */
export function controlPage(): Page {
  return {
    path: '/sandbox/',
    title: document.info.title,
    description: 'Worlds, clock, faults, events and the request log of a sandbox.',
    section: 'facts',
    crumbs: [],
    blocks: [
      prose(String(document.info.description)),
      ...document.tags.flatMap(({ name, description }) => [
        heading(2, name, anchorOf(name)),
        prose(description),
        ...operationsOf(name).flatMap(operationBlocks),
      ]),
    ],
  }
}

function operationsOf(tag: string): ControlOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (['get', 'put', 'post', 'delete'] as const).flatMap((method) => {
      const operation = item[method]
      return operation?.tags.includes(tag) ? [{ method: method.toUpperCase(), path, operation }] : []
    }),
  )
}

function operationBlocks({ method, path, operation }: ControlOperation): Block[] {
  const body = bodyOf(operation)
  const members = body ? membersOf(body.schema) : []
  return [
    heading(3, operation.summary, operation.operationId),
    { kind: 'endpoint', method, prefix: '', path },
    prose(operation.description),
    ...(members.length > 0 ? [table(['Member', 'Type', 'What'], members)] : []),
    ...(body
      ? [{ kind: 'code' as const, language: 'json', text: JSON.stringify(body.example, null, 2) }]
      : []),
  ]
}

interface Body {
  readonly schema: Schema
  readonly example: unknown
}

function bodyOf({ requestBody }: Operation): Body | undefined {
  const found = requestBody && resolved<NonNullable<Operation['requestBody']>>(requestBody)
  const media = found?.content['application/json']
  return media && { schema: resolved<Schema>(media.schema), example: Reflect.get(media, 'example') }
}

function membersOf({ allOf = [], properties = {}, required = [] }: Schema): string[][] {
  const parts = allOf.flatMap((part) => membersOf(resolved<Schema>(part)))
  const own = Object.entries(properties).map(([name, member]) => {
    const { type, description, enum: values } = { ...resolved<Schema>(member), ...member }
    const kind = [type].flat().filter(Boolean).join(' or ')
    const said = [description, values && `One of ${values.map((value) => code(String(value))).join(', ')}.`]
    return [code(name), required.includes(name) ? `${kind}, required` : kind, said.filter(Boolean).join(' ')]
  })
  return [...parts, ...own]
}

/** What a local reference leads to, or the value itself. */
function resolved<T>(value: T): T {
  const reference: unknown = Reflect.get(Object(value), '$ref')
  if (typeof reference !== 'string') return value
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((within, name) => Reflect.get(Object(within), name), document) as T
}

const anchorOf = (name: string): string => name.toLowerCase()
