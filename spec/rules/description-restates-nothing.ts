import { asText, asTexts } from './read/json.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { schemasIn } from './read/schemas.ts'

/** As many values of an enumeration in a description are a list of them; one may be named for what it means. */
const listLength = 3
/** Bounds that a description must leave to the schema; small numbers are words of any text. */
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'default']

/** Values such as `all` are words of any text, and only count as values when marked as code. */
const isWord = /^[a-z]+$/

export const rule: Rule = {
  id: 'description-restates-nothing',
  message: 'a description repeats neither the values of an enumeration nor a bound: the schema says both.',
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
          ? [`it lists ${listed.join(', ')}`]
          : []),
        ...repeated.map((each) => `it repeats ${each}`),
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
