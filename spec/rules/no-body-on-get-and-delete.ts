import { asNode } from './read/json.ts'
import type { Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'no-body-on-get-and-delete',
  message:
    'GET, HEAD and DELETE operations must not have a request body, because it has no defined meaning (RFC 9110 §9.3.1, §9.3.5).',
  why: 'Some proxies and clients drop these bodies, or reject the request.',
  scope: 'any',
  readsSingleNodes: true,
  given: '$.paths[*][get,head,delete]',
  function(operation, { path }) {
    if (asNode(operation).requestBody === undefined) return []
    return [{ message: `the ${path.at(-1)} operation has a request body`, path: [...path, 'requestBody'] }]
  },
}
