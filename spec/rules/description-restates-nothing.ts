import { asText, asTexts } from './read/json.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

/**
 * A description that contains at least this many enum values is considered to repeat the enumeration. A description
 * with fewer values may explain them instead.
 */
const listLength = 3
/**
 * Keywords with limits that a description must not repeat. Small numbers are allowed because they are also common in
 * ordinary text.
 */
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'default']

const statesDefault = /\bdefaults? (is|to|value)\b|\bby default\b/i

/**
 * Matches ordinary words, such as `all`. If an enum value is an ordinary word, it counts only if it is formatted as
 * code.
 */
const isWord = /^[a-z]+$/

export const rule: Rule = {
  id: 'description-restates-nothing',
  message:
    'a description must not repeat enum values, limits or the default, because the schema already contains them.',
  why: 'If only the schema changes, values that are repeated in the description become outdated.',
  scope: 'style',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    return schemasIn(document).flatMap(({ value, path }) => {
      const text = asText(value.description)
      if (text === '') return []
      const schema = effective(document, value)
      const values = [...asTexts(schema.enum), ...asTexts(schema['x-known-values'])]
      const listed = values.filter((each) => hasWord(text, isWord.test(each) ? `\`${each}\`` : each))
      const numbers = bounds
        .map((name) => schema[name])
        .filter((each) => typeof each === 'number' && each > 2)
      const repeated = numbers.filter((each) => hasWord(text, String(each)))
      const messages = [
        ...(listed.length >= Math.min(listLength, Math.max(values.length, 2))
          ? [`the description lists the values ${listed.join(', ')}`]
          : []),
        ...repeated.map((each) => `the description repeats ${each}`),
        ...('default' in schema && statesDefault.test(text) ? ['the description states the default'] : []),
      ]
      return messages.map((message) => ({ message, path: [...path, 'description'] }))
    })
  },
}

function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word)
  if (at < 0) return false
  const around = `${text[at - 1] ?? ' '}${text[at + word.length] ?? ' '}`
  return !/[\p{L}\p{N}_]/u.test(around)
}
