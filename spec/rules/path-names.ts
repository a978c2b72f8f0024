import { asNode } from './read/json.ts'
import { type Rule, wholeDocument } from './read/rule.ts'
import { camelCase } from './read/words.ts'

export const rule: Rule = {
  id: 'path-names',
  message: 'parts of paths are camelCase words or {camelCase} parameters, without a slash at the end.',
  given: wholeDocument,
  function(document) {
    return Object.keys(asNode(asNode(document).paths)).flatMap((url) => {
      const bad = url
        .split('/')
        .slice(1)
        .filter((part) => !camelCase.test(part.replace(/^\{(.*)\}$/, '$1')))
      if (bad.length === 0) return []
      return [{ message: `the part ${bad[0] || '(empty)'} is none`, path: ['paths', url] }]
    })
  },
}
