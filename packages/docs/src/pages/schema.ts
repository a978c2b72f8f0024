import type { Schema } from '@svc-admin/spec'
import type { Block, FieldRow, Page } from '../content/block.ts'
import { heading, list, prose } from '../content/block.ts'
import { firstSentence } from '../content/first-sentence.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { strengthText } from '../content/strength.ts'
import { addresses } from '../model/addresses.ts'
import { constraintsOf, type Mark } from '../model/constraints.ts'
import { fieldRows, pagesOf, typeText, valuesOf } from '../model/fields.ts'
import { resolveSchema } from '../model/resolve.ts'
import { branchesOf, isOnOwnPage, unionOf } from '../model/schema-home.ts'
import { choicesFor, type SiteModel, type VersionModel } from '../model/site-model.ts'
import { operationLink } from './operation.ts'
import { jsonText } from './operation-parts.ts'

export function schemaPage(model: SiteModel, version: VersionModel, name: string, schema: Schema): Page {
  const part = `schemas/${name}/`
  return {
    path: addresses.schema(version.id, name),
    title: name,
    kicker: 'Schema',
    description: firstSentence(schema.description ?? schema.title ?? name),
    section: 'reference',
    version: version.id,
    crumbs: [
      [version.id, addresses.version(version.id)],
      ['Schemas', `${addresses.version(version.id)}#schemas`],
    ],
    switch: choicesFor(
      model,
      part,
      ({ document }) => name in document.components.schemas,
      model.spans.schema(version, name),
    ),
    blocks: schemaBlocks(model, version, name, schema),
  }
}

function schemaBlocks(model: SiteModel, version: VersionModel, name: string, schema: Schema): Block[] {
  const { inputs, decisions } = model
  const { document, id, usage } = version
  const [example] = schema.examples ?? []
  const rows = fieldRows(
    {
      document,
      linkTo: pagesOf(id),
      anchor: 'field',
      side: 'both',
      mark: decisions.mark,
      shown: example,
      isApart: isOnOwnPage(document),
    },
    schema,
  )
  const machine = machineOf(schema)
  const uses = usage.operations.get(name) ?? []
  const users = usage.schemas.get(name) ?? []
  return [
    prose(schema.description ?? '', 'lead'),
    ...factsBlock(version, schema, decisions.mark),
    ...(example !== undefined
      ? [
          {
            kind: 'rail',
            blocks: [
              heading(2, 'Example', 'example'),
              { kind: 'code', language: 'json', text: jsonText(example), label: 'Example' },
            ],
          } as const,
        ]
      : []),
    ...(machine && inputs.facts.states[machine]
      ? [
          prose(
            `See the ${link('lifecycle', addresses.lifecycle(machine))} for the transitions between these values.`,
          ),
        ]
      : []),
    ...valueBlocks(schema),
    ...(rows.length > 0 ? [heading(2, 'Fields', 'fields'), { kind: 'fields', rows } as const] : []),
    ...variantBlocks(model, version, name, schema),
    ...(uses.length + users.length > 0 ? [heading(2, 'Used by', 'used-by')] : []),
    ...(users.length > 0
      ? [list(users.map((each) => `schema ${codeLink(each, addresses.schema(id, each))}`))]
      : []),
    ...(uses.length > 0 ? [list(uses.map((each) => `operation ${operationLink(id, each)}`))] : []),
  ]
}

const machineOf = (schema: Schema): string | undefined =>
  typeof schema['x-state-machine'] === 'string' ? schema['x-state-machine'] : undefined

/**
 * Lists facts about a schema. For an object or a union, the type is omitted because the page shows the fields or
 * variants anyway.
 */
function factsBlock(version: VersionModel, schema: Schema, mark: Mark): Block[] {
  const items = factsOf(version, schema, mark).filter(
    ([term, text]) =>
      term !== 'Type' || !((text === 'object' && schema.properties) || schema.anyOf || schema.oneOf),
  )
  return items.length > 0 ? [{ kind: 'facts', look: 'inline', items }] : []
}

function factsOf({ document, id }: VersionModel, schema: Schema, mark: Mark): [string, string][] {
  const constraints = constraintsOf(schema, mark)
  return [
    ['Type', typeText(document, pagesOf(id), schema)],
    ...(constraints.length > 0 ? [['Constraints', constraints.join(' · ')] as [string, string]] : []),
    ...(schema['x-strength']
      ? [['Provenance', strengthText(schema['x-strength'], schema['x-source'] ?? '')] as [string, string]]
      : []),
  ]
}

function valueBlocks(schema: Schema): Block[] {
  const values = valuesOf(schema)
  if (values.length === 0) return []
  const intro = schema.enum ? 'One of these:' : 'Known values. Other values are possible.'
  return [heading(2, 'Values', 'values'), prose(intro), list(values.map(code))]
}

function variantBlocks(model: SiteModel, version: VersionModel, name: string, schema: Schema): Block[] {
  const { document, id } = version
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (branches.length === 0) return []
  const items = branches.map((branch) => {
    const { description, title } = resolveSchema(document, branch)
    const words = description ?? title
    return `${typeText(document, pagesOf(id), branch)}${words ? `: ${words}` : ''}`
  })
  const own = branchesOf(schema).filter((each) => unionOf(document, each) === name)
  const fields = new Map(own.map((each) => [each, variantRows(model, version, each)]))
  const shared = sharedRows([...fields.values()])
  return [
    heading(2, 'Variants', 'variants'),
    list(items),
    ...(shared.length > 0
      ? [heading(3, 'Common fields', 'fields'), { kind: 'fields', rows: shared } as const]
      : []),
    ...[...fields].flatMap(([each, rows]) => variantBlock(model, version, each, { rows, shared })),
  ]
}

/** Returns the fields of a union's variant. Their anchors start with the name of the variant. */
const variantRows = ({ decisions }: SiteModel, { document, id }: VersionModel, name: string): FieldRow[] => {
  const schema = document.components.schemas[name] ?? {}
  const [shown] = schema.examples ?? []
  const context = { document, linkTo: pagesOf(id), anchor: name, side: 'both', mark: decisions.mark } as const
  return fieldRows({ ...context, shown, isApart: isOnOwnPage(document) }, schema)
}

/**
 * Prepares a field for the list of fields that variants share. Removes the example because it comes from only one of
 * the variants.
 */
const asShared = ({ anchor, example: _, ...row }: FieldRow): FieldRow => ({
  ...row,
  anchor: anchor.replace(/^\w+/, 'field'),
})

/** Returns the fields that are the same in more than half of the variants. */
function sharedRows(variants: readonly (readonly FieldRow[])[]): FieldRow[] {
  const groups = new Map<string, FieldRow[]>()
  for (const row of variants.flat()) {
    const key = JSON.stringify(asShared(row))
    // Only top-level fields are compared. Nested fields stay with the field that contains them.
    if (row.depth === 0) groups.set(key, [...(groups.get(key) ?? []), row])
  }
  const common = [...groups.values()].filter(({ length }) => length * 2 > variants.length)
  return common.flatMap(([row]) => (row ? [asShared(row)] : []))
}

/** Describes a variant that doesn't have its own page. */
function variantBlock(
  { decisions }: SiteModel,
  version: VersionModel,
  name: string,
  { rows, shared }: { readonly rows: readonly FieldRow[]; readonly shared: readonly FieldRow[] },
): Block[] {
  const schema = version.document.components.schemas[name] ?? {}
  const [example] = schema.examples ?? []
  const isShared = (row: FieldRow) =>
    shared.some((each) => JSON.stringify(each) === JSON.stringify(asShared(row)))
  const names = rows.filter(isShared).map((row) => row.name)
  const own = rows.filter((row) => !isShared(row))
  return [
    heading(3, name, name),
    prose(schema.description ?? ''),
    ...factsBlock(version, schema, decisions.mark),
    ...(names.length > 0
      ? [
          {
            kind: 'repeated',
            names,
            from: 'field',
            to: name,
            isAll: names.length === shared.length,
            isFollowed: own.length > 0,
          } as const,
        ]
      : []),
    ...(own.length > 0 ? [{ kind: 'fields', rows: own } as const] : []),
    ...(example === undefined
      ? []
      : [
          {
            kind: 'fold',
            summary: 'Example',
            blocks: [{ kind: 'code', language: 'json', text: jsonText(example) }],
          } as const,
        ]),
  ]
}
