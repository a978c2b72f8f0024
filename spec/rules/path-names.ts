import { asNode } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { camelCase } from './read/words.ts'

export const rule: Rule = {
  id: 'path-names',
  message: 'path segments must be camelCase words or {camelCase} parameters, without a trailing slash.',
  why: 'Consistent names are easier to remember. URLs with and without a trailing slash identify different resources.',
  scope: 'style',
  given: wholeDocument,
  function(document) {
    return Object.keys(asNode(asNode(document).paths)).flatMap((url) => {
      const bad = url
        .split('/')
        .slice(1)
        .filter((part) => !camelCase.test(part.replace(/^\{(.*)\}$/, '$1')))
      if (bad.length === 0) return []
      return [{ message: `invalid path segment: ${bad[0] || '(empty)'}`, path: ['paths', url] }]
    })
  },
}
