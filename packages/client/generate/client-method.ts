import { bodyOf, ownDescription, type Schema } from '@svc-admin/spec'
import { type RoleId, roles } from '@svc-admin/types'
import { type OperationModel, owningVersion, resolve, type VersionModel } from './model.ts'
import { comment, field, literal, type TypeWriter } from './schema-type.ts'

/**
 * Generates the client's method for an operation. If the operation's types differ between versions, the method has
 * several signatures. To use a signature for a different version, callers pass the version. The signature for the
 * client's own version comes last because `infer`, `ReturnType`, `Parameters` and compiler errors use the last
 * signature.
 */
export function clientMethod(
  operation: OperationModel,
  model: VersionModel,
  others: readonly VersionModel[],
  writer: TypeWriter,
): string {
  const { id, row, owner } = operation
  const sharing = (owned: string): string => sharingVersions(operation, owned, [model, ...others])
  const elsewhere = others.flatMap((other) => {
    const found = other.operations.find((each) => each.id === id && each.owner === other.version)
    return found && found.owner !== owner ? [{ found, namespace: `${other.namespace}.` }] : []
  })
  const variants = [...elsewhere, { found: operation, namespace: '' }].map(
    ({ found, namespace }): Variant => {
      const name = `${namespace}${found.typeName}`
      // The version is optional if the operation has the same types as in the client's own version.
      const version = field('version', sharing(found.owner), found === operation, 'write')
      const options = found === operation ? 'options?' : 'options'
      const settings = (of: string) => `${options}: ${of} & { readonly ${version} }`
      return { name, pinned: found === operation, args: args(found, name), settings }
    },
  )
  const lines = documentation(operation)
  const calls = variants.map(
    ({ name, args, settings }) => `(${args}, ${settings('CallOptions')}): Call<${name}Data, ${name}Result>\n`,
  )
  if (!row.paged) return calls.map((call) => `${lines}${id}${call}`).join('')
  const item = itemType(operation, model, writer)
  const paging = variants.map((variant) =>
    // The item type may be unnamed in another version, so it is derived from the page type.
    pagingFields(variant, variant.pinned ? item : `NonNullable<${variant.name}Data['results']>[number]`),
  )
  // Editors show the property's documentation in completions, and the signature's documentation in calls.
  return `${lines}readonly ${id}: {\n${calls.map((call) => lines + call).join('')}${paging.join('')}}\n`
}

/** Returns a union of all versions in which the operation has the same types as in the given version. */
function sharingVersions(
  { id, row }: OperationModel,
  owner: string,
  family: readonly VersionModel[],
): string {
  return family
    .filter(
      ({ version, operations }) =>
        operations.some((each) => each.id === id) && owningVersion(row, version) === owner,
    )
    .map(({ version }) => literal(version))
    .sort()
    .join(' | ')
}

/** An operation's types in one version, and the parameters of its method. */
interface Variant {
  /** The prefix for the operation's type names. */
  readonly name: string
  /** Whether the types belong to the client's own version. */
  readonly pinned: boolean
  readonly args: string
  readonly settings: (of: string) => string
}

function pagingFields({ name, args, settings }: Variant, item: string): string {
  return [
    '/** Reads the items of all pages. */\n',
    `items(${args}, ${settings('CallOptions')}): AsyncIterableIterator<${item}>\n`,
    '/** Reads all pages. */\n',
    `pages(${args}, ${settings('CallOptions')}): AsyncIterableIterator<${name}Data>\n`,
    '/** Reads the items of all pages into an array. Stops after `limit` items. */\n',
    `toArray(${args}, ${settings('ArrayOptions')}): Promise<${item.includes('|') ? `(${item})` : item}[]>\n`,
  ].join('')
}

function args({ parameters, operation }: OperationModel, name: string): string {
  const needed = parameters.some(({ required }) => required) || operation.requestBody
  return `args${needed ? '' : '?'}: ${name}Args`
}

function itemType({ id, success }: OperationModel, { document }: VersionModel, writer: TypeWriter): string {
  const { schemas } = document.components
  const [, content] = bodyOf(success.response.content) ?? []
  const page: Schema | undefined = content && resolve(content.schema, schemas)
  const results = page?.properties?.results && resolve(page.properties.results, schemas)
  if (!results?.items) throw new Error(`${id} is paginated, but its response has no list of results.`)
  return writer.type(results.items, 'read')
}

function documentation({ operation, row, owner }: OperationModel): string {
  const version = row.versions[owner as keyof typeof row.versions]
  const codes = [...(version?.errors ?? [])].join(', ')
  const names = (version?.roles ?? []).map((role) => (role === 'ANY' ? 'any assigned role' : roleName(role)))
  return comment([
    `${operation.summary}.`,
    '\n',
    ownDescription(operation),
    '\n',
    names.length > 0 ? `Role: ${names.join(' or ')}.` : undefined,
    codes && `Errors: ${codes}.`,
    '\n',
    `Versions: ${Object.keys(row.versions).join(', ')}.`,
    deprecation(version?.deprecation),
  ])
}

function roleName(role: RoleId): string {
  return roles[role].name
}

function deprecation(
  facts: { date: string; sunset?: string; successor?: string } | undefined,
): string | undefined {
  if (!facts) return undefined
  const { date, sunset, successor } = facts
  return `@deprecated since ${date}${sunset ? `, with a sunset on ${sunset}` : ''}${successor ? `; use ${successor}` : ''}`
}
