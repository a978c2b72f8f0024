import type { Parameter, Response } from '@svc-admin/spec'
import { type OperationModel, resolve, type VersionModel } from './model.ts'
import { field, literal, type TypeWriter } from './schema-type.ts'
import { bodyType } from './version-file.ts'

/**
 * `Paths` in the format of openapi-typescript, which openapi-fetch uses. It refers to the types in this file
 * instead of repeating them, and takes a tenth of the space.
 */
export function pathsInterface(model: VersionModel, writer: TypeWriter): string {
  const paths = [...new Set(model.operations.map(({ path }) => path))]
  const fields = paths.map((path) => {
    const operations = model.operations.filter((operation) => operation.path === path)
    const verbs = operations.map(
      (operation) => `${operation.row.method.toLowerCase()}: ${verb(operation, model, writer)}`,
    )
    return `${literal(path)}: {\n${verbs.join('\n')}\n}`
  })
  return `export interface Paths {\n${fields.join('\n')}\n}\n`
}

function verb(operation: OperationModel, model: VersionModel, writer: TypeWriter): string {
  const place = (where: Parameter['in']): string => parameters(operation, where, writer)
  const body = bodyType(operation, writer)
  const [media] = Object.keys(operation.operation.requestBody?.content ?? {})
  const responses = Object.entries(operation.operation.responses).map(
    ([status, response]) =>
      `${status}: ${responseType(resolve(response, model.document.components.responses), writer)}`,
  )
  return [
    '{',
    `parameters: { query${place('query')}; header?: never; path${place('path')}; cookie?: never }`,
    body ? `requestBody: { content: { ${literal(media)}: ${body} } }` : 'requestBody?: never',
    `responses: {\n${responses.join('\n')}\n}`,
    '}',
  ].join('\n')
}

function parameters({ parameters: all }: OperationModel, where: Parameter['in'], writer: TypeWriter): string {
  const here = all.filter((each) => each.in === where)
  if (here.length === 0) return '?: never'
  const fields = here.map(({ name, required, schema }) =>
    field(name, writer.type(schema, 'write'), !required, 'write'),
  )
  return `${here.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }`
}

function responseType(response: Response, writer: TypeWriter): string {
  const contents = Object.entries(response.content ?? {}).map(
    ([media, { schema }]) => `${literal(media)}: ${writer.type(schema, 'read')}`,
  )
  const content = contents.length === 0 ? 'content?: never' : `content: { ${contents.join('; ')} }`
  return `{ headers: { [name: string]: unknown }; ${content} }`
}
