import { readdirSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parse } from 'yaml'
import { readFacts } from '../../spec/build/sources.ts'
import { rule as operationIdForm } from '../../spec/rules/operation-id-form.ts'
import { rule as pathNames } from '../../spec/rules/path-names.ts'
import { wholeDocument } from '../../spec/rules/read/rule.ts'
import { rule as strengthAndSource } from '../../spec/rules/strength-and-source.ts'
import { rule as summaryForm } from '../../spec/rules/summary-form.ts'
import { type Checkout, Refusal } from './change.ts'
import { indexedPaths } from './index-lines.ts'
import type { OperationResponses } from './operation.ts'
import { requireSource } from './source.ts'
import { versionRows } from './versions.ts'

/** @throws {Refusal} if the answers name what is taken or not there, or are of a form that the linter refuses. */
export function requireLayable(checkout: Checkout, responses: OperationResponses): void {
  const { id, method, path, area, role, schema } = responses
  requireOneOf('area', area, tagsOf(checkout))
  requireOneOf('role', role, [...Object.keys(parse(checkout.read('spec/facts/roles.yaml'))), 'ANY'])
  if (!path.startsWith('/'))
    throw new Refusal(`--path ${path}: a slash at its beginning was expected, as in /groups/{groupId}/alerts`)
  for (const name of parametersOf(path)) requireParameter(checkout, name)
  // The types of the client have it in a comment.
  if (responses.summary.includes('*/'))
    throw new Refusal(`--summary ${responses.summary}: a sentence in plain words was expected, without */`)
  requireLintable(responses)
  requireSource(responses)
  const taken = operationFiles(checkout).get(id)
  if (taken !== undefined) throw new Refusal(`${id} is an operation of ${taken}: another id was expected`)
  if (method === 'delete' && schema !== undefined)
    throw new Refusal(`--schema ${schema}: none was expected, since a delete answers with nothing`)
}

/** What the folders of an area are called. */
export const areaFolder = (area: string): string => area.toLowerCase().replaceAll(' ', '-')

export const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

const tagsOf = (checkout: Checkout): string[] => {
  const tags: readonly { name: string }[] = parse(checkout.read('spec/shared/tags.yaml'))
  return tags.map(({ name }) => name)
}

const requireOneOf = (flag: string, value: string, known: readonly string[]): void => {
  if (!known.includes(value)) throw new Refusal(`--${flag} ${value}: one of ${known.join(', ')} was expected`)
}

const requireParameter = (checkout: Checkout, name: string): void => {
  if (checkout.has(`spec/shared/parameters/${name}.yaml`)) return
  const known = readdirSync(join(checkout.root, 'spec/shared/parameters')).map((file) => file.slice(0, -5))
  throw new Refusal(`{${name}} is no parameter of spec/shared/parameters, which has ${known.join(', ')}`)
}

/** The linter's own rules about what stays as it was told. */
function requireLintable({ id, method, path: url, summary, strength, source }: OperationResponses): void {
  const path = ['paths', url, method]
  const operation = { operationId: id, summary, 'x-strength': strength, 'x-source': source }
  const document = { paths: { [url]: { [method]: operation } } }
  const context = { path, document, facts: readFacts(), version: undefined, documents: new Map() }
  for (const rule of [operationIdForm, summaryForm, pathNames, strengthAndSource]) {
    const [finding] = rule.function(rule.given === wholeDocument ? document : operation, context)
    if (finding)
      throw new Refusal(`${id}: ${finding.message}, and the linter (${rule.id}) expects: ${rule.message}`)
  }
}

/** The operations of all versions, each with a file that describes it. */
const operationFiles = (checkout: Checkout): ReadonlyMap<string, string> => {
  const files = versionRows(checkout).flatMap(({ folder }) => {
    const index = `spec/${folder}/openapi.yaml`
    return [...indexedPaths(checkout.read(index)).values()].map((file) => posix.join(dirname(index), file))
  })
  return new Map(
    [...new Set(files)].flatMap((file) => {
      const item: Record<string, { operationId?: string }> = parse(checkout.read(file))
      return Object.values(item).flatMap(({ operationId }) =>
        operationId === undefined ? [] : [[operationId, file] as const],
      )
    }),
  )
}
