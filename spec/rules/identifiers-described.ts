import { asText } from './read/json.ts'
import { effective } from './read/reference.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { type SchemaView, schemasIn } from './read/schemas.ts'

/** Maps words in property names to the words that descriptions use instead. */
const synonyms: Readonly<Record<string, string>> = { group: 'project' }

export const rule: Rule = {
  id: 'identifiers-described',
  message:
    "the description of an ID must mention the resource that it identifies, with a word from the field's name or, for `id`, from the schema's name.",
  why: 'A copied description may mention the wrong resource, which leads callers to send the wrong ID.',
  scope: 'style',
  given: wholeDocument,
  function(document) {
    return schemasIn(document).flatMap((schema) => {
      const { description, type } = effective(document, schema.value)
      const words = wordsOf(identifiedBy(schema))
      const text = asText(description)
      if (words.length === 0 || type !== 'string' || text === '') return []
      const isNamed = wordsOf(text).some((word) => words.some((each) => isSame(each, word)))
      return isNamed
        ? []
        : [
            {
              message: `the description of ${schema.name} contains none of these words: ${words.join(', ')}`,
              path: [...schema.path, 'description'],
            },
          ]
    })
  },
}

/**
 * Returns the resource that a property such as `clusterId` identifies. Returns an empty string for all other
 * properties.
 */
function identifiedBy({ place, name, path }: SchemaView): string {
  if (place !== 'property') return ''
  const [first, , component, , ...rest] = path
  if (/^id$/i.test(name)) return first === 'components' && rest.length === 1 ? String(component) : ''
  return /^(.+)I[dD]$/.exec(name)?.[1] ?? ''
}

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => synonyms[word] ?? word)

const shortest = 4

/** Returns whether two words are equal or one is a prefix of the other, as in config and configuration. */
function isSame(name: string, word: string): boolean {
  if (name === word || word.startsWith(name)) return true
  return name.length >= shortest && word.slice(0, shortest) === name.slice(0, shortest)
}
