import { asNode, asText } from './read/json.ts'
import { everyOperation, type Rule } from './read/rule.ts'

/** Matches a first word that can't be an imperative, such as a third-person verb, a gerund, an article or a pronoun. */
const noImperative = /^(\w+(s|ed|ing)|the|a|an|this|it|all|one|new)$/i
const imperatives = new Set(['process', 'bypass', 'address', 'access', 'bring', 'pass', 'discuss'])

export const rule: Rule = {
  id: 'summary-form',
  message: 'a summary must be a short imperative in sentence case, without a period.',
  why: 'Documentation pages and code generators use the summary as a title.',
  scope: 'style',
  readsSingleNodes: true,
  given: everyOperation,
  function(operation, { path }) {
    const summary = asText(asNode(operation).summary)
    const [first = ''] = summary.split(' ')
    const tests: [boolean, string][] = [
      [summary === '', 'the summary is missing'],
      [/[.!?:]$/.test(summary), 'the summary ends with a punctuation mark'],
      [summary.length > 60, `the summary has ${summary.length} characters, but the maximum is 60`],
      [summary !== '' && !/^[A-Z][a-z]/.test(first), 'the summary does not start with a capital letter'],
      [noImperative.test(first) && !imperatives.has(first.toLowerCase()), `${first} is not an imperative`],
      [titleCased(summary), 'the summary is in title case'],
    ]
    return tests.filter(([fails]) => fails).map(([, message]) => ({ message, path: [...path, 'summary'] }))
  },
}

/**
 * Returns whether most words in a summary are capitalized. Single capitalized words are allowed because they can be
 * product names.
 */
function titleCased(summary: string): boolean {
  const words = summary
    .split(' ')
    .slice(1)
    .filter((word) => word.length > 3 && !/[A-Z].*[A-Z]/.test(word))
  const capitals = words.filter((word) => /^[A-Z]/.test(word))
  return words.length > 1 && capitals.length > words.length / 2
}
