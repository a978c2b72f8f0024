import type { Parameter } from '@svc-admin/spec'
import { methods } from '@svc-admin/spec'
import { sharingVersions } from './client-method.ts'
import { type OperationModel, resolve, type VersionModel } from './model.ts'
import { comment, field, literal, parameterDoc, type TypeWriter } from './schema-type.ts'
import type { Declaration } from './shared-declarations.ts'

/** What a call of the operation by its path takes: parameters by their place, the body, and settings of the call. */
export function initType(
  operation: OperationModel,
  family: readonly VersionModel[],
  body: string | undefined,
  writer: TypeWriter,
): Declaration {
  const places = (['path', 'query'] as const).flatMap((where) => {
    const here = operation.parameters.filter((each) => each.in === where)
    const type = `{\n${fields(here, writer)}\n}`
    return here.length === 0 ? [] : [`readonly ${field(where, type, isFree(here), 'write')}`]
  })
  const lines = [
    ...(places.length > 0
      ? [`readonly ${field('params', `{\n${places.join('\n')}\n}`, isFree(operation.parameters), 'write')}`]
      : []),
    ...(body ? [`readonly body: ${body}`] : []),
    `readonly ${field('version', sharingVersions(operation, operation.owner, family), true, 'write')}`,
  ]
  const name = `${operation.typeName}Init`
  const text = `${comment([`What \`${operation.id}\` takes when it is called by its path.`])}export interface ${name} extends CallOptions {\n${lines.join('\n')}\n}\n`
  return { name, text }
}

const isFree = (parameters: readonly Parameter[]): boolean => !parameters.some(({ required }) => required)

function fields(parameters: readonly Parameter[], writer: TypeWriter): string {
  return parameters
    .map(
      (parameter) =>
        `${parameterDoc(parameter, writer.schemas)}readonly ${field(parameter.name, writer.type(parameter.schema, 'write'), !parameter.required, 'write')}`,
    )
    .join('\n')
}

/**
 * For each method two flat interfaces, by path: what a call takes, and what it answers. A compiler looks a path up in
 * them, where the types of openapi-fetch work it out from `Paths` again for each call, at fifty times the cost.
 */
export function pathInterfaces(model: VersionModel, writer: TypeWriter): string {
  const written = methods.flatMap((method) => {
    const operations = model.operations.filter(({ row }) => row.method.toLowerCase() === method)
    const verb = method.toUpperCase()
    const takes = operations.map(({ path, typeName }) => `${literal(path)}: ${typeName}Init`)
    const responses = operations.map(
      (each) =>
        `${literal(each.path)}: PathResponse<${each.typeName}Data, ${errorType(each, model, writer)}>`,
    )
    return [
      `/** What calls by ${verb} take, by path. */\nexport interface ${capital(method)}Inits {\n${takes.join('\n')}\n}\n`,
      `/** What calls by ${verb} answer, by path. */\nexport interface ${capital(method)}Responses {\n${responses.join('\n')}\n}\n`,
    ]
  })
  return written.join('')
}

/** The members of the flat client that call by path; paths for which nothing is required go without the rest. */
export function pathFields({ operations }: VersionModel): string {
  return methods
    .map((method) => {
      const verb = method.toUpperCase()
      const free = operations.filter(
        ({ row, parameters, operation }) =>
          row.method === verb && !operation.requestBody && isFree(parameters),
      )
      const call = (name: string, from: string, init: string): string =>
        `${comment([`Calls by ${verb} and path, in the form of openapi-fetch.`])}${verb}<Path extends ${from}>(${name}: Path, ${init}: ${capital(method)}Inits[Path]): ${capital(method)}Responses[Path]\n`
      const paths = free.map(({ path }) => literal(path)).join(' | ')
      return `${call('path', `keyof ${capital(method)}Inits`, 'init')}${paths && call('path', paths, 'init?')}`
    })
    .join('')
}

/** The bodies of every refusal. */
function errorType({ operation }: OperationModel, { document }: VersionModel, writer: TypeWriter): string {
  const bodies = Object.entries(operation.responses)
    .filter(([status]) => !status.startsWith('2'))
    .flatMap(([, each]) => Object.values(resolve(each, document.components.responses).content ?? {}))
    .map(({ schema }) => writer.type(schema, 'read'))
  return [...new Set(bodies)].join(' | ') || 'undefined'
}

const capital = (method: string): string => method.replace(/^./, (first) => first.toUpperCase())
