import { bodyOf } from '@svc-admin/spec'
import { errorCodes } from '@svc-admin/types'
import { clientMethod } from './client-method.ts'
import type { OperationModel, VersionModel } from './model.ts'
import {
  comment,
  createTypeWriter,
  doc,
  field,
  isOpen,
  literal,
  parameterDoc,
  type TypeWriter,
} from './schema-type.ts'
import type { Declaration, Sharing } from './shared-declarations.ts'

/** One version's types. Other versions may share the declarations. */
export interface VersionTypes {
  readonly declarations: readonly Declaration[]
  /** The client type, which is never shared with other versions. */
  readonly client: string
}

/** Creates the types for one version: its components, operations and client. */
export function versionTypes(model: VersionModel, models: readonly VersionModel[]): VersionTypes {
  const documents = models.filter((each) => each !== model).map(({ document }) => document)
  const writer = createTypeWriter(model.document, documents)
  const others = siblings(model, models)
  const perOperation = model.operations.flatMap((operation) => operationTypes(operation, writer))
  const client = clientInterface(model, others, writer)
  return { declarations: [...components(model, writer), ...perOperation], client }
}

export function versionFile(
  model: VersionModel,
  models: readonly VersionModel[],
  { client }: VersionTypes,
  { own, imported }: Sharing,
): string {
  const namespaces = siblings(model, models)
  const text = [...own.map((each) => each.text), client].join('\n')
  return [
    "import type { ArrayOptions, Call, CallOptions, Failure, OtherKind, Success, WaitFor } from '#types'\n",
    "import type { Clients, OtherStatus, Version } from './index.d.ts'\n",
    ...namespaces.map(({ namespace, version }) => `import type * as ${namespace} from './${version}.d.ts'\n`),
    ...[...imported].flatMap(([version, names]) => [
      `import type { ${names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).join(', ')} } from './${version}.d.ts'\n`,
      `export type { ${names.join(', ')} } from './${version}.d.ts'\n`,
    ]),
    text,
  ].join('')
}

/** Returns the other versions in the same generation, which callers can select for individual calls. */
function siblings(model: VersionModel, models: readonly VersionModel[]): VersionModel[] {
  return models.filter((each) => each !== model && each.generation === model.generation)
}

function components({ document }: VersionModel, writer: TypeWriter): Declaration[] {
  const { schemas } = document.components
  const written: Declaration[] = []
  // Writing a component can add more components, which the loop also visits.
  for (const [name, { component, direction }] of writer.used) {
    const schema = schemas[component]
    if (!schema) throw new Error(`Unknown schema ${component}.`)
    const type = writer.type(schema, direction)
    // A schema that allows additional properties becomes a type alias instead of an interface.
    // Interfaces can't be assigned to an index signature, so callers couldn't send a response back in a request.
    const declared =
      type.startsWith('{') && !isOpen(schema)
        ? `export interface ${name} ${type}`
        : `export type ${name} = ${type}`
    written.push({ name, text: `${doc(schema, schemas, direction)}${declared}\n` })
  }
  return written
}

function operationTypes(operation: OperationModel, writer: TypeWriter): Declaration[] {
  const { typeName, parameters, success } = operation
  const fields = parameters.map((parameter) => {
    if (parameter.name === 'body')
      throw new Error(`${typeName}: a parameter named body conflicts with the request body.`)
    const type = writer.type(parameter.schema, 'write')
    return `${parameterDoc(parameter, writer.schemas)}${field(parameter.name, type, !parameter.required, 'write')}`
  })
  const body = bodyType(operation, writer)
  if (body) fields.push(`${comment([operation.operation.requestBody?.description])}body: ${body}`)
  const data = dataType(operation, writer)
  const results = [`Success<${success.status}, ${data}>`, ...failures(operation)]
  const args = `${comment([`Arguments of \`${operation.id}\`.`])}export interface ${typeName}Args {\n${fields.join('\n')}\n}\n`
  return [
    { name: `${typeName}Args`, text: args },
    { name: `${typeName}Data`, text: `export type ${typeName}Data = ${data}\n` },
    { name: `${typeName}Result`, text: `export type ${typeName}Result = ${results.join(' | ')}\n` },
  ]
}

function bodyType({ operation }: OperationModel, writer: TypeWriter): string | undefined {
  const [, content] = bodyOf(operation.requestBody?.content) ?? []
  return content && writer.type(content.schema, 'write')
}

function dataType({ success }: OperationModel, writer: TypeWriter): string {
  const [, content] = bodyOf(success.response.content) ?? []
  return content ? writer.type(content.schema, 'read') : 'undefined'
}

/**
 * Generates one type per documented error status with the operation's error codes, and one type for all other statuses.
 */
function failures({ operation }: OperationModel): string[] {
  const byStatus = new Map<number, string[]>()
  for (const code of operation['x-errors'] ?? []) {
    const status = code in errorCodes ? errorCodes[code as keyof typeof errorCodes].status : undefined
    if (status !== undefined) byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  if (byStatus.size === 0) return ['Failure<number, string>']
  const documented = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => `Failure<${status}, ${codes.map(literal).join(' | ')}>`)
  return [...documented, 'Failure<OtherStatus, string>']
}

function clientInterface(model: VersionModel, others: readonly VersionModel[], writer: TypeWriter): string {
  const fields = model.operations.map((operation) => clientMethod(operation, model, others, writer))
  return [
    comment([`A client for version ${model.version}.`]),
    // Compiler errors show the interface's name, which contains the version.
    `export interface ${clientName(model)} {\n`,
    '/** The version that calls use unless they set a different version. */\n',
    `readonly version: ${literal(model.version)}\n`,
    '/** Returns a client for a different version. Both clients share connections, tokens and rate-limit pauses. */\n',
    'at<V extends Version>(version: V): Clients[V]\n',
    '/**\n * Reads a resource until it is in a state of its lifecycle. Throws if the resource can no longer reach that state.\n *\n',
    ' * @throws WaitError with the result of the last read. Also throws errors from reading, and the reason of the signal.\n */\n',
    'readonly waitFor: WaitFor\n',
    ...fields,
    '}\n',
    `export type { ${clientName(model)} as Client }\n`,
  ].join('')
}

/** Returns the name of a version's client type, such as `Client_2024_05_30`. */
const clientName = ({ version }: VersionModel): string => `Client_${version.replace(/\W/g, '_')}`
