import { asNode } from './read/json.ts'
import { isApiOperation, operationAt, responsesOf } from './read/operations.ts'
import { everyOperation, type Rule, type RuleContext } from './read/rule.ts'

/** The headers that RFC 9110 (§11.6.1, §10.2.3) or our own decisions require for each status. */
const byStatus: Record<string, string[]> = {
  '401': ['WWW-Authenticate'],
  '429': ['Retry-After'],
  '503': ['Retry-After'],
}

export const rule: Rule = {
  id: 'status-headers',
  message:
    '401 responses must declare the header WWW-Authenticate, 429 and 503 responses must declare Retry-After, and success responses in v2 must declare Vary.',
  why: 'Clients need WWW-Authenticate to authenticate, Retry-After to know when to retry, and Vary to cache responses correctly.',
  scope: 'ours',
  given: everyOperation,
  function(_, context) {
    const operation = operationAt(context.document, context.path)
    if (!operation) return []
    return responsesOf(context.document, operation).flatMap(({ status, value, path }) => {
      const wanted = [...(byStatus[status] ?? []), ...varying(status, isApiOperation(operation), context)]
      const headers = asNode(value.headers)
      return wanted
        .filter((name) => !Object.hasOwn(headers, name))
        .map((name) => ({ message: `the response ${status} does not declare ${name}`, path }))
    })
  },
}

function varying(status: string, isApi: boolean, { version }: RuleContext): string[] {
  return isApi && version?.generation === 'v2' && status.startsWith('2') ? ['Vary'] : []
}
