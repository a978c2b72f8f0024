import type { Schema } from '@svc-admin/spec'
import { type Block, heading, type Page, prose } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { strengthText } from '../content/strength.ts'
import { addresses } from '../model/addresses.ts'
import { constraintsOf } from '../model/constraints.ts'
import { pagesOf, typeText, valuesOf } from '../model/fields.ts'
import { hasOwnPage } from '../model/schema-home.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { operationLink } from './operation.ts'

/**
 * Creates the page for a version's named strings, numbers, maps and arrays. If a type is the same in a newer version,
 * only the newer version's page describes it.
 */
export function typesPage(model: SiteModel, version: VersionModel): Page {
  const { id, document } = version
  const types = Object.entries(document.components.schemas)
    .filter(([, schema]) => !hasOwnPage(schema))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const holderOf = (name: string) => model.spans.schema(version, name).at(-1) ?? version
  const own = types.filter(([name]) => holderOf(name) === version)
  const shared = types.filter(([name]) => holderOf(name) !== version)
  return {
    path: addresses.types(id),
    title: `Types of ${id}`,
    description: 'Named schemas for strings, numbers, maps and arrays, with their values and constraints.',
    section: 'reference',
    version: id,
    crumbs: [[id, addresses.version(id)]],
    switch: model.versions.map((each) => ({
      version: each.id,
      href: addresses.types(each.id),
      exists: true,
    })),
    blocks: [
      prose(
        `Named schemas for strings, numbers, maps and arrays. Objects have ${link('their own pages', `${addresses.version(id)}#schemas`)}.`,
        'lead',
      ),
      ...(shared.length > 0
        ? [
            prose(
              `These types are the same in a newer version: ${shared.map(([name]) => codeLink(name, `${addresses.types(holderOf(name).id)}#${name}`)).join(', ')}.`,
            ),
          ]
        : []),
      ...own.flatMap(([name, schema]) => typeBlocks(model, version, name, schema)),
    ],
  }
}

function typeBlocks(
  { inputs, decisions: { mark } }: SiteModel,
  version: VersionModel,
  name: string,
  schema: Schema,
): Block[] {
  const constraints = constraintsOf(schema, mark)
  const machine = String(schema['x-state-machine'] ?? '')
  const values = valuesOf(schema)
  return [
    heading(3, name, name),
    ...(schema.description ? [prose(schema.description)] : []),
    {
      kind: 'facts',
      look: 'inline',
      items: [
        ['Type', typeText(version.document, pagesOf(version.id), schema)],
        ...(constraints.length > 0 ? [['Constraints', constraints.join(' · ')] as [string, string]] : []),
        ...(values.length > 0
          ? [[schema.enum ? 'Values' : 'Known values', values.map(code).join(' ')] as [string, string]]
          : []),
        ...(inputs.facts.states[machine]
          ? [['Transitions', link('lifecycle', addresses.lifecycle(machine))] as [string, string]]
          : []),
        ...usersOf(version, name),
        ...(schema['x-strength']
          ? [['Provenance', strengthText(schema['x-strength'], schema['x-source'] ?? '')] as [string, string]]
          : []),
      ],
    },
  ]
}

/**
 * The maximum number of operations to list for a type. If more operations use the type, the page shows only their
 * number.
 */
const mostUsers = 6

function usersOf({ id, usage }: VersionModel, name: string): [string, string][] {
  const schemas = usage.schemas.get(name) ?? []
  const operations = usage.operations.get(name) ?? []
  const links = [
    ...schemas.map((each) => codeLink(each, addresses.schema(id, each))),
    ...(operations.length <= mostUsers ? operations.map((each) => operationLink(id, each)) : []),
  ]
  const rest = operations.length > mostUsers ? [`${operations.length} operations`] : []
  return links.length + rest.length > 0 && links.length <= 2 * mostUsers
    ? [['Used by', [...links, ...rest].join(', ')]]
    : [['Used by', `${schemas.length} schemas and ${operations.length} operations`]]
}
