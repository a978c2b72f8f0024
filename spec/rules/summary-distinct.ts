import { asText } from './read/json.ts'
import { operationsIn } from './read/operations.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'summary-distinct',
  message: 'two operations must not have the same summary, unless one of them is deprecated.',
  why: "Documentation pages list operations by summary, so readers couldn't distinguish the operations.",
  scope: 'style',
  given: wholeDocument,
  function(document) {
    const first = new Map<string, string>()
    return operationsIn(document)
      .filter(({ value }) => value.deprecated !== true)
      .flatMap(({ id, value, path }) => {
        const summary = asText(value.summary).trim()
        const key = summary.toLowerCase()
        const other = first.get(key)
        first.set(key, other ?? id)
        if (summary === '' || other === undefined) return []
        return [{ message: `${other} has the same summary: ${summary}`, path: [...path, 'summary'] }]
      })
  },
}
