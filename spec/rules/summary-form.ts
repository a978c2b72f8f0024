import { asNode, asText } from './read/json.ts'
import { everyOperation, type Rule } from './read/rule.ts'

/** A first word that is no imperative: third person, gerund, article or pronoun. */
const noImperative = /^(\w+(s|ed|ing)|the|a|an|this|it|all|one|new)$/i
const imperatives = new Set(['process', 'bypass', 'address', 'access', 'bring', 'pass', 'discuss'])

export const rule: Rule = {
  id: 'summary-form',
  message: 'a summary is an imperative in sentence case, short, without a full stop.',
  given: everyOperation,
  function(operation, { path }) {
    const summary = asText(asNode(operation).summary)
    const [first = ''] = summary.split(' ')
    const tests: [boolean, string][] = [
      [summary === '', 'there is none'],
      [/[.!?:]$/.test(summary), 'it ends with a mark'],
      [summary.length > 60, `it has ${summary.length} characters and not 60 at most`],
      [summary !== '' && !/^[A-Z][a-z]/.test(first), 'it does not begin with a capital'],
      [noImperative.test(first) && !imperatives.has(first.toLowerCase()), `${first} is no imperative`],
      [titleCased(summary), 'it is in title case'],
    ]
    return tests.filter(([fails]) => fails).map(([, message]) => ({ message, path: [...path, 'summary'] }))
  },
}

/** Product words have capitals too; most words having them is title case. */
function titleCased(summary: string): boolean {
  const words = summary
    .split(' ')
    .slice(1)
    .filter((word) => word.length > 3 && !/[A-Z].*[A-Z]/.test(word))
  const capitals = words.filter((word) => /^[A-Z]/.test(word))
  return words.length > 1 && capitals.length > words.length / 2
}
