import { asList, type JsonNode } from './read/json.ts'
import { openSchemasIn } from './read/open-schemas.ts'
import { isPublished } from './read/published.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

export const rule: Rule = {
  id: 'timestamp-format',
  message: 'a string whose examples are times must have the format date-time, unless it is x-strength: open.',
  why: 'Generated clients return values with this format as times. Without the format, they return text.',
  scope: 'any',
  given: wholeDocument,
  function(document, { version }) {
    // Published documents don't contain `x-strength`, so the rule can't recognize open schemas.
    if (isPublished(document, version)) return []
    const open = new Set(openSchemasIn(document).map(({ value }) => value))
    return schemasIn(document)
      .filter(({ value }) => !open.has(value) && isTime(effective(document, value)))
      .map(({ name, path }) => ({ message: `${name} has times as examples, but no format`, path }))
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
