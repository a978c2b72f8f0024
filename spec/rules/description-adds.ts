import { asNode, asText } from './read/json.ts'
import { everyOperation, type Rule } from './read/rule.ts'

const wordsOf = (text: unknown): string =>
  asText(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

export const rule: Rule = {
  id: 'description-adds',
  message: 'the description of an operation must say more than its summary.',
  why: 'Documentation pages show the summary above the description. If the description repeats the summary, readers see the same text twice.',
  scope: 'style',
  readsSingleNodes: true,
  given: everyOperation,
  function(operation, { path }) {
    const { summary, description } = asNode(operation)
    const [short, long] = [wordsOf(summary), wordsOf(description)]
    if (short === '' || short !== long) return []
    return [{ message: 'the description repeats the summary', path: [...path, 'description'] }]
  },
}
