import { asList, type JsonNode } from './read/json.ts'
import { openSchemasIn } from './read/open-schemas.ts'
import { isPublished } from './read/published.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'timestamp-format',
  message:
    'if the examples of a string are timestamps, the string must have the format date-time, unless it has x-strength: open.',
  why: 'Many generated clients convert date-time strings to date objects. Without the format, they return plain strings.',
  scope: 'any',
  given: wholeDocument,
  function(document, { version }) {
    // Open schemas are exempt, but published documents don't show which schemas are open.
    if (isPublished(document, version)) return []
    const open = new Set(openSchemasIn(document).map(({ value }) => value))
    return schemasIn(document)
      .filter(({ value }) => !open.has(value) && isTime(effective(document, value)))
      .map(({ name, path }) => ({
        message: `the examples of ${name} are timestamps, but the format is missing`,
        path,
      }))
  },
}

function isTime({ type, format, examples, 'x-strength': strength }: JsonNode): boolean {
  const shown = asList(examples)
  return (
    [type].flat().includes('string') &&
    format === undefined &&
    strength !== 'open' &&
    shown.length > 0 &&
    shown.every((example) => /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d/.test(String(example)))
  )
}
