import { asNode, asText, type Located } from '../rules/read/json.ts'
import { parametersOf } from '../rules/read/operations.ts'
import { type Comparison, compareContents, type Pair } from './comparison.ts'
import { compareSchemas } from './schemas.ts'
import { reportUnjudged } from './unjudged.ts'

/**
 * Returns an operation's parameters by a key that is the same in both documents. For a path parameter, the key is its
 * position, because requests don't contain its name. For other parameters, the key consists of the location and the
 * name.
 */
function keyed(document: unknown, view: Pair['older']): Map<string, Located> {
  const names = [...view.url.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
  return new Map(
    parametersOf(document, view).map((each) => {
      const [place, name] = [asText(each.value.in), asText(each.value.name)]
      // Header names are case-insensitive (RFC 9110 §5.1).
      const key = place === 'header' ? name.toLowerCase() : name
      return [place === 'path' ? `path ${names.indexOf(name)}` : `${place} ${key}`, each]
    }),
  )
}

export function compareParameters(pair: Pair, comparison: Comparison): void {
  const { before, after, collector } = comparison
  const { newer } = pair
  const [old, now] = [keyed(before, pair.older), keyed(after, newer)]
  for (const [key, parameter] of old) {
    const same = now.get(key)
    const name = asText(parameter.value.name)
    if (same) compareParameter(parameter, same, pair, comparison)
    // Removing a query parameter is breaking because the server rejects unknown query parameters.
    else
      collector.add(
        'breaking',
        'parameter-removed',
        parameter.path,
        `The parameter ${name} was removed.`,
        newer.id,
      )
  }
  for (const [key, { value, path }] of now) {
    if (old.has(key)) continue
    const isRequired = value.required === true
    const text = `The ${isRequired ? 'required ' : ''}parameter ${value.name} was added.`
    collector.add(isRequired ? 'breaking' : 'additive', 'parameter-added', path, text, newer.id)
  }
}

/** Returns how a parameter is serialized, with defaults for missing fields (OpenAPI 3.1 §4.8.12.2). */
function mannerOf({ value }: Located): Record<string, unknown> {
  const { style = isForm(value) ? 'form' : 'simple', explode = style === 'form' } = value
  const { allowReserved = false, allowEmptyValue = false } = value
  // If the parameter has `content` instead of `schema`, its media type determines how it is serialized.
  const [content = ''] = Object.keys(asNode(value.content))
  return { style, explode, allowReserved, allowEmptyValue, content }
}

function isForm({ in: place }: Located['value']): boolean {
  return place === 'query' || place === 'cookie'
}

/** Fields of a parameter that are compared separately. */
const ofParameters = new Set(['name', 'in', 'required', 'deprecated', 'schema', 'content'])

function compareParameter(old: Located, now: Located, pair: Pair, comparison: Comparison): void {
  const { newer } = pair
  const { before, after, collector } = comparison
  const name = asText(now.value.name)
  if (old.value.name !== now.value.name && now.value.in === 'path')
    // Only path parameters can have a new name here, because they are matched by position.
    // Requests stay the same, but generated clients use the name.
    collector.add(
      'review',
      'parameter-renamed',
      now.path,
      `The parameter ${old.value.name} was renamed to ${name}.`,
      newer.id,
    )
  const [was, is] = [old.value.required === true, now.value.required === true]
  if (was !== is) {
    const text = `The parameter ${name} is now ${is ? 'required' : 'optional'}.`
    collector.add(is ? 'breaking' : 'additive', 'parameter-required', now.path, text, newer.id)
  }
  if (old.value.deprecated !== true && now.value.deprecated === true)
    collector.add(
      'deprecating',
      'parameter-deprecated',
      now.path,
      `The parameter ${name} is deprecated.`,
      newer.id,
    )
  const [wrote, writes] = [mannerOf(old), mannerOf(now)]
  for (const keyword of Object.keys(wrote))
    if (wrote[keyword] !== writes[keyword])
      collector.add(
        'breaking',
        `parameter-${keyword}-changed`,
        now.path,
        `The serialization of parameter ${name} changed.`,
        newer.id,
      )
  const isJudged = (key: string) => key in wrote || ofParameters.has(key)
  reportUnjudged(old.value, now.value, isJudged, 'parameter', now.path, collector, newer.id)
  compareContents(old, now, 'request', pair, comparison)
  compareSchemas(
    { document: before, schema: old.value.schema, path: [...old.path, 'schema'] },
    { document: after, schema: now.value.schema, path: [...now.path, 'schema'] },
    'request',
    newer.id,
    collector,
  )
}
