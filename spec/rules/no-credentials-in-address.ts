import { asNode, asText, fieldsOf } from './read/json.ts'
import { nodesIn } from './read/nodes.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

const secret = /(secret|password|passwd|token|api-?_?key|private-?_?key|credential|signature|authorization)/i

export const rule: Rule = {
  id: 'no-credentials-in-address',
  message: 'URLs must not contain credentials (RFC 9110 §17.9).',
  why: 'Servers and proxies write URLs to their logs, so the logs would contain the credentials.',
  scope: 'any',
  readsSingleNodes: true,
  given: wholeDocument,
  function(document) {
    const parameters = nodesIn(document)
      .filter(({ value }) => ['path', 'query'].includes(asText(value.in)) && secret.test(asText(value.name)))
      .map(({ value, path }) => ({
        message: `the ${value.in} parameter ${value.name} is a credential`,
        path,
      }))
    const schemes = fieldsOf(asNode(asNode(document).components).securitySchemes, [
      'components',
      'securitySchemes',
    ])
      .filter(({ value }) => value.type === 'apiKey' && value.in === 'query')
      .map(({ path }) => ({ message: 'the API key is sent in the query', path }))
    const servers = nodesIn(document)
      .filter(({ value, path }) => path.at(-2) === 'servers' && /^[a-z]+:\/\/[^/]*@/i.test(asText(value.url)))
      .map(({ path }) => ({ message: 'the server URL contains credentials', path: [...path, 'url'] }))
    return [...parameters, ...schemes, ...servers]
  },
}
