import { readdirSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parse } from 'yaml'
import { readFacts } from '../../spec/build/sources.ts'
import { rule as operationIdForm } from '../../spec/rules/operation-id-form.ts'
import { rule as pathNames } from '../../spec/rules/path-names.ts'
import { wholeDocument } from '../../spec/rules/read/rule.ts'
import { rule as strengthAndSource } from '../../spec/rules/strength-and-source.ts'
import { rule as summaryForm } from '../../spec/rules/summary-form.ts'
import { type Checkout, InputError } from './change.ts'
import { indexedPaths } from './index-lines.ts'
import type { NewOperation } from './new-operation.ts'
import { requireSource } from './source.ts'
import { versionRows } from './versions.ts'

/**
 * Checks the input for a new operation.
 *
 * @throws {InputError} if a name is unknown or already in use, or if a value violates a lint rule.
 */
export function checkInputs(checkout: Checkout, responses: NewOperation): void {
  const { id, method, path, area, role, schema } = responses
  requireOneOf('area', area, tagsOf(checkout))
  requireOneOf('role', role, [...Object.keys(parse(checkout.read('spec/facts/roles.yaml'))), 'ANY'])
  if (!path.startsWith('/'))
    throw new InputError(`--path ${path}: must start with a slash, for example /groups/{groupId}/alerts`)
  for (const name of parametersOf(path)) requireParameter(checkout, name)
  // The summary becomes part of a comment in the client's types, so it must not end that comment.
  if (responses.summary.includes('*/'))
    throw new InputError(`--summary ${responses.summary}: must not contain */`)
  checkLintRules(responses)
  requireSource(responses)
  const existing = operationFiles(checkout).get(id)
  if (existing !== undefined)
    throw new InputError(`operation ${id} already exists in ${existing}: choose another ID`)
  if (method === 'delete' && schema !== undefined)
    throw new InputError(`--schema ${schema}: a delete operation returns no body, so omit the schema`)
}

export const areaFolder = (area: string): string => area.toLowerCase().replaceAll(' ', '-')

export const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

const tagsOf = (checkout: Checkout): string[] => {
  const tags: readonly { name: string }[] = parse(checkout.read('spec/shared/tags.yaml'))
  return tags.map(({ name }) => name)
}

const requireOneOf = (flag: string, value: string, known: readonly string[]): void => {
  if (!known.includes(value)) throw new InputError(`--${flag} ${value}: must be one of ${known.join(', ')}`)
}

const requireParameter = (checkout: Checkout, name: string): void => {
  if (checkout.has(`spec/shared/parameters/${name}.yaml`)) return
  const known = readdirSync(join(checkout.root, 'spec/shared/parameters')).map((file) => file.slice(0, -5))
  throw new InputError(`{${name}} is not in spec/shared/parameters, which contains ${known.join(', ')}`)
}

/** Checks the input with the linter's rules. */
function checkLintRules({ id, method, path: url, summary, strength, source }: NewOperation): void {
  const path = ['paths', url, method]
  const operation = { operationId: id, summary, 'x-strength': strength, 'x-source': source }
  const document = { paths: { [url]: { [method]: operation } } }
  const context = { path, document, facts: readFacts(), version: undefined, documents: new Map() }
  for (const rule of [operationIdForm, summaryForm, pathNames, strengthAndSource]) {
    const [finding] = rule.function(rule.given === wholeDocument ? document : operation, context)
    if (finding) throw new InputError(`${id}: ${finding.message}. Lint rule ${rule.id}: ${rule.message}`)
  }
}

/** Returns the path file of each operation in any version. */
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
