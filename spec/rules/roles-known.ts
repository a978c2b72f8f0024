import { asList, asNode } from './read/json.ts'
import { isApiOperation, operationAt } from './read/operations.ts'
import { everyOperation, type Rule } from './read/rule.ts'

export const rule: Rule = {
  id: 'roles-known',
  message:
    'x-roles must list roles from facts/roles.yaml, or be [ANY]. The token endpoint must not have x-roles.',
  why: "Each operation's description lists the required roles, and the server checks them.",
  scope: 'ours',
  given: everyOperation,
  function(operation, { path, document, facts }) {
    const { 'x-roles': found } = asNode(operation)
    const view = operationAt(document, path)
    const isApi = view ? isApiOperation(view) : true
    if (!isApi) return found === undefined ? [] : [{ message: 'the token endpoint must not have x-roles' }]
    const roles = asList(found)
    if (roles.length === 0) return [{ message: 'x-roles is missing or empty' }]
    if (roles.includes('ANY') && roles.length > 1)
      return [{ message: 'ANY must not be combined with other roles', path: [...path, 'x-roles'] }]
    return roles
      .filter((role) => role !== 'ANY' && !Object.hasOwn(facts.roles, String(role)))
      .map((role) => ({ message: `unknown role ${role}`, path: [...path, 'x-roles'] }))
  },
}
