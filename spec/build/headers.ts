import { deprecationHeaders } from '../src/deprecation.ts'
import type { Header, Json, OpenApiDocument, Operation, Parameter, Response } from '../src/model.ts'
import type { HeaderSource } from './sources.ts'
import { type OperationPlace, operationsOf } from './walk.ts'

/** The path of each operation in any document, by operation ID. */
export type OperationPaths = ReadonlyMap<string, string>

type Values = Record<string, string>

/**
 * Adds the headers in `shared/headers.yaml` to the responses. The deprecation headers of each operation have their own
 * examples because their values differ.
 */
export function attachHeaders(
  document: OpenApiDocument,
  generation: string,
  headers: HeaderSource,
  paths: OperationPaths,
): void {
  const shared = new Set<string>()
  for (const place of operationsOf(document)) {
    const { operation } = place
    const own = announced(document, place, paths)
    for (const [status, response] of Object.entries(operation.responses)) {
      const target = response.$ref ? responseAt(document, response.$ref) : response
      for (const [name, { on, ...header }] of Object.entries(headers)) {
        if (!applies(on, status, operation, generation)) continue
        const value = own[name.toLowerCase()]
        const shown =
          value === undefined ? { $ref: `#/components/headers/${name}` } : { ...header, example: value }
        target.headers = { ...target.headers, [name]: shown }
        if (value === undefined) shared.add(name)
      }
    }
  }
  document.components.headers = { ...document.components.headers }
  for (const name of shared) {
    const { on: _, ...header } = headers[name] ?? { on: '' }
    document.components.headers[name] = header
  }
  stripMarkers(document.components.headers)
}

function applies(on: string, status: string, operation: Operation, generation: string): boolean {
  const success = status.startsWith('2')
  const isApi = operation['x-roles'] !== undefined
  const deprecation = operation['x-deprecation']
  if (on === 'every') return true
  if (on === 'v2Success') return success && generation === 'v2' && isApi
  if (on === 'deprecated') return success && operation.deprecated === true
  if (on === 'sunset') return success && operation.deprecated === true && deprecation?.sunset !== undefined
  if (on === 'successor')
    return success && operation.deprecated === true && deprecation?.successor !== undefined
  return isApi && on.split(', ').includes(status)
}

/** Returns the deprecation headers that an operation sends. The header names are in lowercase. */
function announced(
  document: OpenApiDocument,
  place: OperationPlace,
  paths: OperationPaths,
): Record<string, string> {
  const deprecation = place.operation['x-deprecation']
  if (!deprecation) return {}
  const api = document.servers[0]?.url ?? ''
  return deprecationHeaders(deprecation, {
    api,
    placeOf: (id) => {
      const found = paths.get(id)
      return found === undefined ? undefined : [api, found]
    },
    values: exampleValues(document, place),
  })
}

/** Returns example values for the path parameters. The values identify the same resource as the example response. */
function exampleValues(document: OpenApiDocument, { path, item, operation }: OperationPlace): Values {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
  const known = new Map(
    parameters.map((each) => resolved(document, each)).map((each) => [each.name, exampleOf(each)]),
  )
  return Object.fromEntries(names.map((name) => [name, String(known.get(name) ?? name)]))
}

const exampleOf = ({ example, examples = {} }: Parameter): Json | undefined =>
  example ?? Object.values(examples)[0]?.value

function resolved(document: OpenApiDocument, parameter: Parameter): Parameter {
  const name = parameter.$ref?.split('/').at(-1)
  return (name !== undefined && document.components.parameters?.[name]) || parameter
}

function responseAt(document: OpenApiDocument, reference: string): Response {
  const found = document.components.responses[reference.split('/').at(-1) ?? '']
  if (!found) throw new Error(`Unresolved reference ${reference}.`)
  return found
}

function stripMarkers(headers: Record<string, Header & { on?: string }>): void {
  for (const header of Object.values(headers)) delete header.on
}
