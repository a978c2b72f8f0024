import { asNode, fieldsOf, type JsonNode, type JsonPath } from '../rules/read/json.ts'
import { type ResponseView, responsesOf } from '../rules/read/operations.ts'
import { follow } from '../rules/read/reference.ts'
import { type Comparison, compareContents, type Pair } from './comparison.ts'
import { compareSchemas } from './schemas.ts'
import { reportUnjudged } from './unjudged.ts'
import { isSame } from './whole.ts'

export function compareResponses(pair: Pair, comparison: Comparison): void {
  const { before, after, collector } = comparison
  const { older, newer } = pair
  const old = new Map(responsesOf(before, older).map((each) => [each.status, each]))
  const now = new Map(responsesOf(after, newer).map((each) => [each.status, each]))
  for (const [status, response] of old) {
    const same = now.get(status)
    if (same) {
      compareResponse(response, same, pair, comparison)
      continue
    }
    // Clients rely on responses with a success status.
    // For error responses, they rely only on the error codes, which are compared separately.
    const kind = isSuccess(status) ? 'breaking' : 'editorial'
    collector.add(kind, 'response-removed', response.at, `The response ${status} was removed.`, newer.id)
    for (const code of codesOf(response)) reportGone(code, response.at, pair, comparison)
  }
  for (const [status, { at }] of now)
    if (!old.has(status))
      collector.add(
        isSuccess(status) ? 'breaking' : 'additive',
        'response-added',
        at,
        `The response ${status} was added.`,
        newer.id,
      )
}

function isSuccess(status: string): boolean {
  return /^[23]/.test(status)
}

function compareResponse(old: ResponseView, now: ResponseView, pair: Pair, comparison: Comparison): void {
  compareContents(old, now, 'response', pair, comparison)
  const isOfResponse = (name: string) => ['content', 'headers', 'links', '$ref'].includes(name)
  reportUnjudged(
    old.value,
    now.value,
    isOfResponse,
    'response',
    now.path,
    comparison.collector,
    pair.newer.id,
  )
  compareHeaders(old, now, pair, comparison)
  compareLinks(old, now, pair, comparison)
  compareErrorCodes(old, now, pair, comparison)
}

/**
 * Headers that announce a deprecation (RFC 9745, RFC 8594, RFC 8288). These headers are also removed when a deprecation
 * is withdrawn.
 */
const deprecationHeaders = new Set(['deprecation', 'sunset', 'link'])

function compareHeaders(old: ResponseView, now: ResponseView, pair: Pair, comparison: Comparison): void {
  const { newer } = pair
  const { before, after, collector } = comparison
  // Header names are case-insensitive (RFC 9110 §5.1).
  const [was, is] = [old, now].map(
    ({ value, path }) =>
      new Map(fieldsOf(value.headers, [...path, 'headers']).map((each) => [each.key.toLowerCase(), each])),
  )
  for (const [name, header] of was ?? []) {
    const same = is?.get(name)
    if (!same) {
      const kind = deprecationHeaders.has(name) && newer.value.deprecated !== true ? 'editorial' : 'breaking'
      const text = `The header ${header.key} was removed.`
      collector.add(kind, 'response-header-removed', header.path, text, newer.id)
      continue
    }
    const [older, later] = [follow(before, header.value, header.path), follow(after, same.value, same.path)]
    if (older.value.required === true && later.value.required !== true)
      collector.add(
        'breaking',
        'response-header-optional',
        later.path,
        `The header ${same.key} is now optional.`,
        newer.id,
      )
    if (older.value.required !== true && later.value.required === true)
      collector.add(
        'additive',
        'response-header-required',
        later.path,
        `The header ${same.key} is now required.`,
        newer.id,
      )
    const isOfHeader = (key: string) => ['required', 'schema', 'content', 'deprecated'].includes(key)
    reportUnjudged(older.value, later.value, isOfHeader, 'response-header', later.path, collector, newer.id)
    compareContents(older, later, 'response', pair, comparison)
    compareSchemas(
      { document: before, schema: older.value.schema, path: [...older.path, 'schema'] },
      { document: after, schema: later.value.schema, path: [...later.path, 'schema'] },
      'response',
      newer.id,
      collector,
    )
  }
  for (const [name, { path, key }] of is ?? [])
    if (!was?.has(name))
      collector.add('additive', 'response-header-added', path, `The header ${key} was added.`, newer.id)
}

/**
 * Compares the links of a response. Link names are compared because tools use them. Descriptions of links count as
 * prose.
 */
function compareLinks(
  old: ResponseView,
  now: ResponseView,
  { newer }: Pair,
  { collector }: Comparison,
): void {
  const [was, is] = [old, now].map(({ value }) => asNode(value.links))
  for (const name of new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])) {
    const [before, after] = [was?.[name], is?.[name]].map((link) => link && targetOf(asNode(link)))
    if (isSame(before, after)) continue
    const [kind, rule, said] = !before
      ? (['additive', 'response-link-added', 'was added'] as const)
      : after
        ? (['breaking', 'response-link-changed', 'has a different target'] as const)
        : (['breaking', 'response-link-removed', 'was removed'] as const)
    collector.add(kind, rule, [...now.path, 'links', name], `The link ${name} ${said}.`, newer.id)
  }
}

const targetOf = ({ description: _, ...target }: JsonNode): JsonNode => target

/** Compares the error codes of a response. Clients must expect new codes, but they may depend on existing codes. */
function compareErrorCodes(old: ResponseView, now: ResponseView, pair: Pair, comparison: Comparison): void {
  const [was, is] = [codesOf(old), codesOf(now)]
  const { newer } = pair
  for (const code of is.filter((each) => !was.includes(each)))
    comparison.collector.add(
      'additive',
      'error-code-added',
      now.path,
      `The operation may return ${code}.`,
      newer.id,
    )
  for (const code of was.filter((each) => !is.includes(each))) reportGone(code, now.path, pair, comparison)
}

function codesOf({ value }: ResponseView): string[] {
  return [value['x-error-codes'] ?? []].flat().map(String)
}

/**
 * Reports that an error code was removed. Each code has its own location so that an exemption applies to only one code.
 */
function reportGone(code: string, path: JsonPath, { newer }: Pair, { collector }: Comparison): void {
  const at = [...path, 'x-error-codes', code]
  collector.add('breaking', 'error-code-removed', at, `The operation no longer returns ${code}.`, newer.id)
}
