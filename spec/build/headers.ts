import type { Header, OpenApiDocument, Operation, Response } from '../src/model.ts'
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
  // A successor without a version is no operation of these documents, so nobody knows its address.
  if (on === 'successor')
    return success && operation.deprecated === true && !!deprecation?.successor?.includes('@')
  return isApi && on.split(', ').includes(status)
}

function shared(document: OpenApiDocument, reference: string): Response {
  const found = document.components.responses[reference.split('/').at(-1) ?? '']
  if (!found) throw new Error(`${reference} leads nowhere.`)
  return found
}

function stripMarkers(headers: Record<string, Header & { on?: string }>): void {
  for (const header of Object.values(headers)) delete header.on
}
