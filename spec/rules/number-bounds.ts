import { openSchemasIn } from './read/open-schemas.ts'
import { isPublished } from './read/published.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { admits, schemasIn } from './read/schemas.ts'

const formats: Record<string, string[]> = { integer: ['int32', 'int64'], number: ['float', 'double'] }

export const rule: Rule = {
  id: 'number-bounds',
  message:
    "a number must have a format, a minimum and a maximum, unless it is an enum or a constant. Numbers in schemas with x-strength: open don't need a minimum.",
  why: 'Code generators choose the numeric type based on the format, and servers reject values that are out of range.',
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document, { version }) {
    const schemas = schemasIn(document)
    // A published document doesn't show which schemas are open.
    // The rule therefore accepts every schema that may be open.
    const maybeOpen = isPublished(document, version) ? schemas : openSchemasIn(document)
    const open = new Set(maybeOpen.map(({ value }) => value))
    return schemas.flatMap(({ value, path, name }) => {
      const type = Object.keys(formats).find((each) => admits(value, each))
      if (!type || 'enum' in value || 'const' in value) return []
      const lacks = [
        ...(formats[type]?.includes(String(value.format)) ? [] : [`format (${formats[type]?.join(', ')})`]),
        ...(open.has(value) || ['minimum', 'exclusiveMinimum'].some((key) => key in value)
          ? []
          : ['minimum']),
        ...(['maximum', 'exclusiveMaximum'].some((key) => key in value) ? [] : ['maximum']),
      ]
      return lacks.map((keyword) => ({ message: `${type} ${name} has no ${keyword}`, path }))
    })
  },
}
