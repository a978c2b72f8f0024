import type { Header, OpenApiDocument, Operation, Parameter, Response } from '../src/model.ts'
import type { HeaderSource } from './sources.ts'
import { operationsOf } from './walk.ts'

/** Attaches to every answer the headers that `shared/headers.yaml` says it carries. */
export function attachHeaders(document: OpenApiDocument, generation: string, headers: HeaderSource): void {
  const names = new Map<string, Set<string>>()
  for (const { operation } of operationsOf(document))
    for (const [status, response] of Object.entries(operation.responses)) {
      const target = response.$ref ? shared(document, response.$ref) : response
      for (const [name, { on }] of Object.entries(headers)) {
        if (!applies(on, status, operation, generation)) continue
        target.headers = { ...target.headers, [name]: { $ref: `#/components/headers/${name}` } }
        names.set(name, (names.get(name) ?? new Set()).add(status))
      }
    }
  document.components.headers = { ...document.components.headers }
  for (const name of names.keys()) {
    const { on: _, ...header } = headers[name] ?? { on: '' }
    document.components.headers[name] = { ...header, ...announced(document, name) }
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

/** Examples that the document itself gives: of the first operation that its answers announce the end of. */
function announced(document: OpenApiDocument, name: string): Pick<Header, 'example'> {
  const deprecated = [...operationsOf(document)].filter(({ operation }) => operation.deprecated)
  for (const { operation } of deprecated) {
    const { date, successor } = operation['x-deprecation'] ?? {}
    if (name === 'Deprecation' && date) return { example: `@${Date.parse(`${date}T00:00:00Z`) / 1000}` }
    if (name === 'Link' && successor)
      return { example: `<${addressOf(document, successor)}>; rel="successor-version"` }
  }
  return {}
}

/** Where a server finds an operation, with the values of the examples; one of no document stands in the API alone. */
function addressOf(document: OpenApiDocument, successor: string): string {
  const [id = ''] = successor.split('@')
  const base = document.servers[0]?.url ?? ''
  const found = [...operationsOf(document)].find(({ operation }) => operation.operationId === id)
  if (!found) return `${base}#${id}`
  const parameters = [...(found.item.parameters ?? []), ...(found.operation.parameters ?? [])]
  const exampleOf = (name: string) =>
    parameters.map((each) => resolved(document, each)).find((each) => each.name === name)?.example
  return (
    base + found.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(exampleOf(name))))
  )
}

function resolved(document: OpenApiDocument, parameter: Parameter): Parameter {
  const name = parameter.$ref?.split('/').at(-1)
  return (name !== undefined && document.components.parameters?.[name]) || parameter
}

function shared(document: OpenApiDocument, reference: string): Response {
  const found = document.components.responses[reference.split('/').at(-1) ?? '']
  if (!found) throw new Error(`${reference} leads nowhere.`)
  return found
}

function stripMarkers(headers: Record<string, Header & { on?: string }>): void {
  for (const header of Object.values(headers)) delete header.on
}
