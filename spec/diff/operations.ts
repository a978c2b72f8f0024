import type { JsonNode } from '../rules/read/json.ts'
import { methods, type OperationView, operationsIn, requestOf } from '../rules/read/operations.ts'
import type { Collector } from './change.ts'
import { type Comparison, compareContents, type Pair } from './comparison.ts'
import { compareLifecycle, removalClass } from './lifecycle.ts'
import { compareParameters } from './parameters.ts'
import { compareResponses } from './responses.ts'
import { compareRoles } from './roles.ts'
import { compareSecurity } from './security.ts'
import { reportUnjudged } from './unjudged.ts'

/**
 * Returns an operation's method and path. Parameter names are removed from the path because requests don't contain
 * them.
 */
function placeOf({ method, url }: OperationView): string {
  return `${method} ${url.replaceAll(/\{[^}]*\}/g, '{}')}`
}

export function compareOperations(comparison: Comparison): void {
  const { before, after, collector, today } = comparison
  const old = new Map(operationsIn(before).map((each) => [placeOf(each), each]))
  const now = new Map(operationsIn(after).map((each) => [placeOf(each), each]))
  for (const [place, older] of old) {
    const newer = now.get(place)
    if (newer) compareOperation({ older, newer }, comparison)
    else
      collector.add(
        removalClass(older.value, today),
        'operation-removed',
        older.path,
        `The operation ${older.id} was removed.`,
        older.id,
      )
  }
  for (const [place, newer] of now)
    if (!old.has(place))
      collector.add(
        'additive',
        'operation-added',
        newer.path,
        `The operation ${newer.id} was added.`,
        newer.id,
      )
}

/** Fields of an operation that are compared separately. */
const ofOperations = new Set([
  'operationId',
  'deprecated',
  'security',
  'parameters',
  'requestBody',
  'responses',
])

function compareOperation(pair: Pair, comparison: Comparison): void {
  const { older, newer } = pair
  const { collector } = comparison
  // A new ID counts as a change because generated clients and links use the ID.
  if (older.id !== newer.id)
    collector.add(
      'breaking',
      'operation-renamed',
      newer.path,
      `The operation ID changed from ${older.id} to ${newer.id}.`,
      newer.id,
    )
  compareLifecycle(pair, comparison)
  compareFlags(older.value, newer.value, pair, collector)
  const isOfOperation = (name: string) => ofOperations.has(name)
  reportUnjudged(older.value, newer.value, isOfOperation, 'operation', newer.path, collector, newer.id)
  const isOfPath = (name: string) => name === '$ref' || name === 'parameters' || methods.includes(name)
  reportUnjudged(older.item, newer.item, isOfPath, 'path', newer.path.slice(0, -1), collector, newer.id)
  compareSecurity(pair, comparison)
  compareRoles(pair, comparison)
  compareParameters(pair, comparison)
  compareRequests(pair, comparison)
  compareResponses(pair, comparison)
}

/** Compares the idempotency and pagination of two versions of an operation. */
function compareFlags(old: JsonNode, now: JsonNode, { newer }: Pair, collector: Collector): void {
  for (const [name, lost, gained] of [
    ['x-idempotent', 'The operation is no longer safe to repeat.', 'The operation is now safe to repeat.'],
    ['x-paged', 'The operation is no longer paginated.', 'The operation is now paginated.'],
  ] as const) {
    const [was, is] = [old[name] === true, now[name] === true]
    if (was === is) continue
    const kind = was || name === 'x-paged' ? 'breaking' : 'additive'
    collector.add(kind, `${name.slice(2)}-changed`, newer.path, was ? lost : gained, newer.id)
  }
}

function compareRequests(pair: Pair, comparison: Comparison): void {
  const { before, after, collector } = comparison
  const { newer } = pair
  const [old, now] = [requestOf(before, pair.older), requestOf(after, newer)]
  if (!old && !now) return
  if (!old || !now) {
    const breaks = !now || now.value.required === true
    const text = now ? 'A request body was added.' : 'The request body was removed.'
    collector.add(
      breaks ? 'breaking' : 'additive',
      `request-body-${now ? 'added' : 'removed'}`,
      newer.path,
      text,
      newer.id,
    )
    return
  }
  const [was, is] = [old.value.required === true, now.value.required === true]
  if (was !== is) {
    const text = `The request body is now ${is ? 'required' : 'optional'}.`
    collector.add(is ? 'breaking' : 'additive', 'request-body-required', now.path, text, newer.id)
  }
  const isOfBody = (name: string) => name === 'required' || name === 'content'
  reportUnjudged(old.value, now.value, isOfBody, 'request-body', now.path, collector, newer.id)
  compareContents(old, now, 'request', pair, comparison)
}
