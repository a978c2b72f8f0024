import { expect, test } from 'vitest'
import { dated, outcomeIn, type Response, seeding } from '../../test/context-over.ts'
import type { Rule } from '../check/rule.ts'
import { isObject, type JsonObject, listAt } from '../document/json.ts'
import { elsewhereRefused, oneOfSeveralSuffices } from './several-roles.ts'

type Grants = readonly JsonObject[]
type IsAllowed = (grants: Grants, groupId: string) => boolean

const isOwner = ({ role }: JsonObject): boolean => role === 'PROJECT_OWNER'
const inProject = (grants: Grants, groupId: string) => grants.filter((one) => one.groupId === groupId)
const ownsProject: IsAllowed = (grants, groupId) => inProject(grants, groupId).some(isOwner)

/** Creates a server that finds the roles of seeded callers. */
const roleServer = (isAllowed: IsAllowed) => {
  const { context, rows } = seeding(({ path }, as): Response => {
    const caller =
      as.kind === 'digest'
        ? rows.get('apiKeys')?.find(({ publicKey }) => publicKey === as.key.publicKey)
        : rows
            .get('serviceAccounts')
            ?.find(({ clientId }) => as.kind === 'bearer' && clientId === as.account.clientId)
    const groupId = /groups\/(\w+)/.exec(path)?.[1] ?? ''
    // Other callers get the resources that the checks need.
    const isSeeded = caller?.label === context.runTag
    return !isSeeded || isAllowed(listAt(caller, 'roles').filter(isObject), groupId)
      ? [200, { id: 'a'.repeat(24) }]
      : [403, { error: 403, errorCode: 'INSUFFICIENT_ROLE' }]
  })
  return context
}

const outcomes = async (rule: Rule, isAllowed: IsAllowed): Promise<Record<string, string>> => {
  const cell = dated('getAuditingConfig')
  const labels = rule.variants(cell).map(({ label }) => label)
  const found = await Promise.all(
    labels.map(async (label) => [label, await outcomeIn(roleServer(isAllowed), cell, rule, label)] as const),
  )
  return Object.fromEntries(found)
}

test.each<[string, IsAllowed, string, string]>([
  ['only the first role', (all, id) => ownsProject(all.slice(0, 1), id), 'passed', 'stated'],
  ['only the last role', (all, id) => ownsProject(all.slice(-1), id), 'stated', 'passed'],
  [
    'only the first role in the project',
    (all, id) => ownsProject(inProject(all, id).slice(0, 1), id),
    'passed',
    'stated',
  ],
  ['all roles', ownsProject, 'passed', 'passed'],
])('a server that checks %s', async (_, isAllowed, first, last) => {
  expect(await outcomes(oneOfSeveralSuffices, isAllowed)).toEqual({
    'PROJECT_OWNER first of several digest': first,
    'PROJECT_OWNER first of several bearer': first,
    'PROJECT_OWNER last of several digest': last,
    'PROJECT_OWNER last of several bearer': last,
  })
})

test.each<[string, IsAllowed, readonly string[]]>([
  [
    'needs a role in the project and the required role anywhere',
    (all, id) => inProject(all, id).length > 0 && all.some(isOwner),
    ['Violation'],
  ],
  ['needs the required role in the project', ownsProject, ['passed']],
])('a server that %s', async (_, isAllowed, expected) => {
  const found = await outcomes(elsewhereRefused, isAllowed)
  expect([...new Set(Object.values(found))]).toEqual(expected)
})

test('a request that fails for all callers does not show which roles count', async () => {
  const found = await outcomes(oneOfSeveralSuffices, () => false)
  expect(new Set(Object.values(found))).toEqual(new Set(['NotApplicable']))
})

test('the required role elsewhere is in another organization and in another project of the organization', async () => {
  const seen: Grants[] = []
  await outcomes(elsewhereRefused, (grants) => {
    seen.push(grants)
    return false
  })
  const owned = seen.map((grants) => new Set(grants.filter(isOwner).map(({ groupId }) => groupId)).size)
  expect(new Set(owned)).toEqual(new Set([2]))
})

test('tests one operation that reads and one that changes data for each set of roles', () => {
  const selected = ['getAuditingConfig', 'listAlertConfigs', 'getCustomDns', 'listMatcherFieldNames'].filter(
    (id) => elsewhereRefused.at(dated(id)) === true,
  )
  expect(selected).toEqual(['getAuditingConfig', 'getCustomDns'])
})
