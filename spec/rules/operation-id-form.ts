import { asNode, asText } from './read/json.ts'
import { everyOperation, type Rule } from './read/rule.ts'

/** The verbs that operation IDs can start with. The allowed HTTP methods for each verb. */
const verbs: Record<string, string[]> = {
  list: ['get'],
  get: ['get'],
  create: ['post'],
  issue: ['post'],
  take: ['post'],
  validate: ['post'],
  update: ['put', 'patch'],
  acknowledge: ['patch'],
  authorize: ['patch'],
  toggle: ['patch'],
  cutover: ['put'],
  delete: ['delete'],
  cancel: ['delete'],
  deauthorize: ['delete'],
  disable: ['delete'],
  end: ['delete'],
}

export const rule: Rule = {
  id: 'operation-id-form',
  message: `operationId must be a verb and an object in camelCase. The verb must be one of ${Object.keys(verbs).join(', ')} and match the HTTP method.`,
  why: 'Code generators name methods after the operationId.',
  scope: 'style',
  readsSingleNodes: true,
  given: everyOperation,
  function(operation, { path }) {
    const id = asText(asNode(operation).operationId)
    const verb = /^([a-z]+)(?:[A-Z][a-z0-9]*)+$/.exec(id)?.[1]
    const suits = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (suits?.includes(String(path.at(-1)))) return []
    const message = suits
      ? `the verb of ${id} does not match the HTTP method ${path.at(-1)}`
      : `operationId is ${id || 'missing'}`
    return [{ message, path: [...path, 'operationId'] }]
  },
}
