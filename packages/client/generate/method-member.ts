import { ownDescription, type Schema } from '@svc-admin/spec'
import { type RoleId, roles } from '@svc-admin/types'
import { type OperationModel, owningVersion, resolve, type VersionModel } from './model.ts'
import { comment, literal, type TypeWriter } from './schema-type.ts'

/**
 * The member of the flat client for one operation: one signature for the version of the pin, and one for
 * each other version that owns a shape of its own, which a call has to name.
 */
export function methodMember(
  operation: OperationModel,
  model: VersionModel,
  others: readonly VersionModel[],
  writer: TypeWriter,
): string {
  const { id, row, owner } = operation
  const sharing = (owned: string): string => sharingVersions(operation, owned, [model, ...others])
  const here = signature(operation, '', `options?: CallOptions & { readonly version?: ${sharing(owner)} }`)
  const elsewhere = others.flatMap((other) => {
    const found = other.operations.find((each) => each.id === id && each.owner === other.version)
    if (!found || found.owner === owner) return []
    const options = `options: CallOptions & { readonly version: ${sharing(found.owner)} }`
    return [signature(found, `${other.namespace}.`, options)]
  })
  const lines = documentation(operation)
  if (!row.paged) return [here, ...elsewhere].map((text) => `${lines}${id}${text}\n`).join('')
  const calls = [here, ...elsewhere].map((text) => `${lines}${text}\n`).join('')
  return `readonly ${id}: {\n${calls}${pagingMembers(operation, model, writer)}}\n`
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

function signature(operation: OperationModel, namespace: string, options: string): string {
  const name = `${namespace}${operation.typeName}`
  return `(${args(operation, name)}, ${options}): Call<${name}Data, ${name}Result>`
}

function args({ parameters, operation }: OperationModel, name: string): string {
  const needed = parameters.some(({ required }) => required) || operation.requestBody
  return `args${needed ? '' : '?'}: ${name}Args`
}

function pagingMembers(operation: OperationModel, model: VersionModel, writer: TypeWriter): string {
  const item = itemType(operation, model, writer)
  const given = args(operation, operation.typeName)
  return [
    '/** Every item of every page. */\n',
    `items(${given}, options?: CallOptions): AsyncIterableIterator<${item}>\n`,
    '/** Every page. */\n',
    `pages(${given}, options?: CallOptions): AsyncIterableIterator<${operation.typeName}Data>\n`,
    '/** The items of every page in one array, at most `limit` of them. */\n',
    `toArray(${given}, options?: ArrayOptions): Promise<${item.includes('|') ? `(${item})` : item}[]>\n`,
  ].join('')
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
