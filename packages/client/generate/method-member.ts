import { ownDescription, type Schema } from '@svc-admin/spec'
import { type RoleId, roles } from '@svc-admin/types'
import { type OperationModel, owningVersion, resolve, type VersionModel } from './model.ts'
import { comment, field, literal, type TypeWriter } from './schema-type.ts'

/**
 * The member of the flat client for one operation: one signature for each other version that owns a shape of its own,
 * which a call has to name, and one for the version of the pin. This one is the last: of several signatures `infer`,
 * and with it `ReturnType` and `Parameters`, takes the last, and an error of the compiler tells of it.
 */
export function methodMember(
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
  const shapes = [...elsewhere, { found: operation, namespace: '' }].map(({ found, namespace }): Shape => {
    const name = `${namespace}${found.typeName}`
    // The shape of the pin needs no word of its version.
    const version = field('version', sharing(found.owner), found === operation, 'write')
    const options = found === operation ? 'options?' : 'options'
    const settings = (of: string) => `${options}: ${of} & { readonly ${version} }`
    return { name, pinned: found === operation, given: args(found, name), settings }
  })
  const lines = documentation(operation)
  const calls = shapes.map(
    ({ name, given, settings }) =>
      `(${given}, ${settings('CallOptions')}): Call<${name}Data, ${name}Result>\n`,
  )
  if (!row.paged) return calls.map((call) => `${lines}${id}${call}`).join('')
  const item = itemType(operation, model, writer)
  const paging = shapes.map((shape) =>
    // The item of another version may have no name there: its page says what it is.
    pagingFields(shape, shape.pinned ? item : `NonNullable<${shape.name}Data['results']>[number]`),
  )
  return `readonly ${id}: {\n${calls.map((call) => lines + call).join('')}${paging.join('')}}\n`
}

/** The versions, as a type, in which the operation has the shape of the version given. */
export function sharingVersions(
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

/** One shape that an operation has, and how it is called. */
interface Shape {
  /** The stem of its types. */
  readonly name: string
  /** Whether it is that of the client's own version. */
  readonly pinned: boolean
  readonly given: string
  readonly settings: (of: string) => string
}

function pagingFields({ name, given, settings }: Shape, item: string): string {
  return [
    '/** Every item of every page. */\n',
    `items(${given}, ${settings('CallOptions')}): AsyncIterableIterator<${item}>\n`,
    '/** Every page. */\n',
    `pages(${given}, ${settings('CallOptions')}): AsyncIterableIterator<${name}Data>\n`,
    '/** The items of every page in one array, at most `limit` of them. */\n',
    `toArray(${given}, ${settings('ArrayOptions')}): Promise<${item.includes('|') ? `(${item})` : item}[]>\n`,
  ].join('')
}

function args({ parameters, operation }: OperationModel, name: string): string {
  const needed = parameters.some(({ required }) => required) || operation.requestBody
  return `args${needed ? '' : '?'}: ${name}Args`
}

function itemType({ id, success }: OperationModel, { document }: VersionModel, writer: TypeWriter): string {
  const { schemas } = document.components
  const [content] = Object.values(success.response.content ?? {})
  const page: Schema | undefined = content && resolve(content.schema, schemas)
  const results = page?.properties?.results && resolve(page.properties.results, schemas)
  if (!results?.items) throw new Error(`${id} is paged, but its answer has no list of results.`)
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
  return `@deprecated since ${date}${sunset ? `, withdrawn ${sunset}` : ''}${successor ? `; use ${successor}` : ''}`
}
