import { asNode, asText, fieldsOf } from './read/json.ts'
import { nodesIn } from './read/nodes.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'https-servers',
  message: 'the document must list at least one server, and all server URLs must use https.',
  why: 'Clients must not send credentials unencrypted, and code generators need a server URL.',
  scope: 'style',
  given: wholeDocument,
  function(document) {
    const root = fieldsOf(asNode(document).servers, ['servers'])
    const all = nodesIn(document).filter(
      ({ path }) => path.at(-2) === 'servers' && typeof path.at(-1) === 'number',
    )
    return [
      ...(root.length > 0 ? [] : [{ message: 'the document has no server', path: ['servers'] }]),
      ...all
        .filter(({ value }) => !/^https:\/\/[^/?#\s]+/.test(asText(value.url)))
        .map(({ value, path }) => ({ message: `the server URL is ${value.url ?? 'missing'}`, path })),
    ]
  },
}
