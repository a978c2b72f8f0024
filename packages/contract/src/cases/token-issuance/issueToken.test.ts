import { expect, test } from 'vitest'
import { contextOver, dated, outcomeIn, target } from '../../../test/context-over.ts'
import rules from './issueToken.ts'

const account = { clientId: 'client', clientSecret: 'secret' }
const { apiKey } = target.roles.ORGANIZATION_OWNER

/** Requests two tokens, and returns the check's outcome. */
const outcomeOn = async (isValid: (token: string) => boolean) => {
  let issued = 0
  const { context } = contextOver(
    (_, as) => {
      if (as.kind === 'verbatim') return isValid(as.value) ? [200, []] : [401]
      issued += 1
      return [200, { access_token: `token-${issued}`, token_type: 'Bearer', expires_in: 3600 }]
    },
    { target: { ...target, roles: { ORGANIZATION_OWNER: { serviceAccount: account, apiKey } } } },
  )
  return outcomeIn(context, dated('issueToken'), rules['issueToken.lasts'], 'with a second token')
}

test('tokens of the same account can be valid at the same time', async () => {
  expect(await outcomeOn(() => true)).toBe('passed')
})

test('a token that ends with the next one violates the specification, even if used tokens are remembered', async () => {
  const used = new Set<string>()
  const outcome = await outcomeOn((token) => {
    const isValid = used.has(token) || token.endsWith('2')
    used.add(token)
    return isValid
  })
  expect(outcome).toBe('Violation')
})

test('a server that accepts no token is reported elsewhere', async () => {
  expect(await outcomeOn(() => false)).toBe('Untestable')
})
