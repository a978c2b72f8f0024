import { methods } from '@svc-admin/spec'
import { errorCodes } from '@svc-admin/types'
import { methodMember } from './method-member.ts'
import type { OperationModel, VersionModel } from './model.ts'
import { pathsInterface } from './paths-interface.ts'
import { comment, createTypeWriter, doc, literal, property, type TypeWriter } from './schema-type.ts'

/** The declarations of one version: its component types, the types of each operation, and the flat client. */
export function versionFile(model: VersionModel, models: readonly VersionModel[]): string {
  const writer = createTypeWriter(model.document)
  const others = models.filter((each) => each !== model && each.generation === model.generation)
  const perOperation = model.operations.map((operation) => operationTypes(operation, writer))
  const client = clientInterface(model, others, writer)
  const paths = pathsInterface(model, writer)
  return [
    "import type { ArrayOptions, Call, CallOptions, Failure, PathClient, Success, WaitFor } from '#types'\n",
    "import type { Clients, Version } from './index.d.ts'\n",
    ...others.map(({ namespace, version }) => `import type * as ${namespace} from './${version}.d.ts'\n`),
    ...components(model, writer),
    ...perOperation,
    client,
    paths,
  ].join('\n')
}

function components({ document }: VersionModel, writer: TypeWriter): string[] {
  const { schemas } = document.components
  const written: string[] = []
  // A map that grows while it is walked: writing one component may use another.
  for (const [name, { component, direction }] of writer.used) {
    const schema = schemas[component]
    if (!schema) throw new Error(`There is no schema ${component}.`)
    const type = writer.type(schema, direction)
    const declared = type.startsWith('{')
      ? `export interface ${name} ${type}`
      : `export type ${name} = ${type}`
    written.push(`${doc(schema, schemas)}${declared}\n`)
  }
  return written
}

function operationTypes(operation: OperationModel, writer: TypeWriter): string {
  const { typeName, parameters, success } = operation
  const members = parameters.map((parameter) => {
    if (parameter.name === 'body') throw new Error(`${typeName}: a parameter named body hides the body.`)
    const optional = parameter.required ? '' : '?'
    const type = writer.type(parameter.schema, 'write')
    return `${comment([parameter.description])}${property(parameter.name)}${optional}: ${type}`
  })
  const body = bodyType(operation, writer)
  if (body) members.push(`${comment([operation.operation.requestBody?.description])}body: ${body}`)
  const data = dataType(operation, writer)
  const results = [`Success<${success.status}, ${data}>`, ...failures(operation)]
  return [
    `${comment([`Arguments of \`${operation.id}\`.`])}export interface ${typeName}Args {\n${members.join('\n')}\n}\n`,
    `export type ${typeName}Data = ${data}\n`,
    `export type ${typeName}Result = ${results.join(' | ')}\n`,
  ].join('')
}

export function bodyType({ operation }: OperationModel, writer: TypeWriter): string | undefined {
  const [content] = Object.values(operation.requestBody?.content ?? {})
  return content && writer.type(content.schema, 'write')
}

export function dataType({ success }: OperationModel, writer: TypeWriter): string {
  const [content] = Object.values(success.response.content ?? {})
  return content ? writer.type(content.schema, 'read') : 'undefined'
}

/** One member for each status, with the codes of the catalogue that the operation has there. */
function failures({ operation }: OperationModel): string[] {
  const byStatus = new Map<number, string[]>()
  for (const code of operation['x-errors'] ?? []) {
    const status = code in errorCodes ? errorCodes[code as keyof typeof errorCodes].status : undefined
    if (status !== undefined) byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  if (byStatus.size === 0) return ['Failure<number, string>']
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => `Failure<${status}, ${codes.map(literal).join(' | ')}>`)
}

function clientInterface(model: VersionModel, others: readonly VersionModel[], writer: TypeWriter): string {
  const members = model.operations.map((operation) => methodMember(operation, model, others, writer))
  const verbs = methods.map((method) => {
    const verb = method.toUpperCase()
    return `/** Calls by path, with the types of openapi-fetch. */\nreadonly ${verb}: PathClient<Paths>['${verb}']\n`
  })
  return [
    comment([`A client pinned to ${model.version}: the operations that exist there, as they are there.`]),
    'export interface Client {\n',
    `readonly version: ${literal(model.version)}\n`,
    '/** The same client, with its connections, tokens and pauses, at another version. */\n',
    'at<V extends Version>(version: V): Clients[V]\n',
    'readonly waitFor: WaitFor\n',
    ...verbs,
    ...members,
    '}\n',
  ].join('')
}
