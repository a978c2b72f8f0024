import { expect, test } from 'vitest'
import { contextOver, dated, groupId, outcomeIn, type Response, seeding } from '../test/context-over.ts'
import deleteAlertConfig from './cases/alert-configurations/deleteAlertConfig.ts'
import toggleAlertConfig from './cases/alert-configurations/toggleAlertConfig.ts'
import acknowledgeAlert from './cases/alerts/acknowledgeAlert.ts'
import listAlerts from './cases/alerts/listAlerts.ts'
import migrationRequest from './cases/cloud-migration/migrationRequest.ts'
import accessRoles from './cases/cloud-provider-access/accessRoles.ts'
import deauthorizeRole from './cases/cloud-provider-access/deauthorizeCloudProviderAccessRole.ts'
import deleteSearchIndex from './cases/search/deleteSearchIndex.ts'
import limited from './cases/token-issuance/limited.ts'
import { isObject, type JsonObject, listAt, parseJson, stringAt } from './document/json.ts'
import { ownProject } from './resources/own-resources.ts'
import optionalFields from './rules/changes/optional-fields.ts'
import envelope from './rules/envelope/envelope.ts'
import paging from './rules/paging/paging.ts'
import bodies from './rules/parameters/bodies.ts'
import listedFields from './rules/resources/listed-fields.ts'
import { roleIds } from './target/role-ids.ts'

/** Servers with a fault that only a few checks can notice. Each of these checks must report a stated violation. */

test.each([
  ['lists a deleted index', (path: string) => path.endsWith('/indexes/orders/customers'), 'Violation'],
  [
    'returns a deleted index by name',
    (path: string) => /\/indexes\/\w+\/\w+\/index-/.test(path),
    'Violation',
  ],
  ['removes an index', () => false, 'passed'],
])('a server that %s', async (_, isFaulty, expected) => {
  let deletions = 0
  const { context, rows } = seeding(({ method, path }) => {
    const [index = {}] = rows.get('searchIndexes') ?? []
    if (method === 'DELETE') deletions += 1
    if (method === 'DELETE') return deletions > 1 ? [404, { errorCode: 'RESOURCE_NOT_FOUND' }] : [204]
    const { database, collectionName } = index
    const place = path.replace(`/${database}/${collectionName}`, '/orders/customers')
    if (isFaulty(place)) return [200, place.includes('/index-') ? index : [index]]
    return /indexes$|customers$/.test(place) ? [200, []] : [404, { errorCode: 'RESOURCE_NOT_FOUND' }]
  })
  const cell = dated('deleteSearchIndex')
  const rule = deleteSearchIndex['searchIndex.removal-eventually-consistent']
  const outcome = await outcomeIn(context, cell, rule)
  expect(outcome).toBe(expected)
})

test.each([
  ["doesn't count failed token requests", () => 200, 'stated'],
  ['counts failed token requests', (count: number) => (count > 10 ? 429 : 200), 'passed'],
])('a server that %s', async (_, statusAfter, expected) => {
  let count = 0
  const { context } = seeding((_request, as) => {
    count += 1
    const isWrong = as.kind === 'basic' && as.account.clientSecret.startsWith('wrong-')
    const status = statusAfter(count)
    if (isWrong && status === 200) return [401, { error: 'invalid_client' }]
    return [status, status === 429 ? { error: 'rate_limited' } : { access_token: 'a', expires_in: 3600 }]
  })
  const rule = limited['issueToken.limited']
  const outcome = await outcomeIn(context, dated('issueToken'), rule, 'after failures: wrong secret')
  expect(outcome).toBe(expected)
})

test.each([
  ['omits acknowledged alerts from filtered lists', false, 'Violation'],
  ['lists acknowledged alerts', true, 'passed'],
])('a server that %s', async (_, isListed, expected) => {
  const alert = { id: 'a'.repeat(24), alertConfigId: 'b'.repeat(24), status: 'OPEN' }
  const { context } = seeding(
    ({ method, path }) => {
      if (method === 'DELETE') return [204]
      if (path.includes('/alertConfigs')) return [200, { id: alert.alertConfigId }]
      if (path.includes(alert.id)) return [200, alert]
      const shows = !path.includes('status=') || (isListed && path.includes(`status=${alert.status}`))
      return [200, { links: [], results: shows ? [alert] : [], totalCount: shows ? 1 : 0 }]
    },
    { event: () => [alert.id] },
  )
  const rule = listAlerts['listAlerts.status-filters']
  expect(await outcomeIn(context, dated('listAlerts'), rule, 'acknowledged alert')).toBe(expected)
})

test.each([
  ['lacks a field in the response to a change', [200, { id: 'a'.repeat(24) }], 'Violation'],
  ['already has the resource', [409], 'Untestable'],
  [
    'shows all fields in the response to a change',
    [200, { id: 'a', groupId: 'b', encryptionAtRestProvider: 'NONE', stateName: 'UPDATING' }],
    'passed',
  ],
] satisfies [string, Response, string][])('a server that %s', async (_, response, expected) => {
  const { context } = seeding(() => response)
  const rule = listedFields['resources.listed-fields']
  expect(await outcomeIn(context, dated('createSearchNodes'), rule, 'change')).toBe(expected)
})

test.each([
  ['changes other fields with the flag', 'Violation', (sent: JsonObject) => sent],
  ['rejects other fields with the flag', 'passed', () => undefined],
  ['changes only the flag', 'passed', ({ enabled = false }: JsonObject) => ({ enabled })],
])('a server that %s', async (_, expected, changesOf) => {
  let config: JsonObject = {}
  const { context } = seeding(({ method, body }) => {
    if (method === 'DELETE') return [204]
    const sent = parseJson(body ?? '')
    if (!isObject(sent)) return [200, config]
    // The kit creates another configuration for the parts of a valid call.
    if (method === 'POST' && 'id' in config) return [200, { id: 'b'.repeat(24) }]
    const changes = method === 'POST' ? { ...sent, id: 'a'.repeat(24) } : changesOf(sent)
    config = { ...config, ...changes }
    return changes === undefined ? [400] : [200, config]
  })
  const rule = toggleAlertConfig['toggleAlertConfig.changes-nothing-else']
  const label = 'true with other fields'
  expect(await outcomeIn(context, dated('toggleAlertConfig'), rule, label)).toBe(expected)
})

const severities = ['INFO', 'WARNING', 'ERROR', 'CRITICAL']

test.each([
  ['ignores an enum value in lower case', () => undefined, 'Violation'],
  ['replaces an enum value in lower case', () => 'INFO', 'Violation'],
  ['treats lower case as the listed value', (sent: string) => sent.toUpperCase(), 'passed'],
  ['rejects an enum value in lower case', () => 'rejected', 'passed'],
])('a server that %s', async (_, severityOf, expected) => {
  const { context } = seeding(({ method, body }) => {
    const sent = stringAt(parseJson(body ?? ''), 'severityOverride')
    const isListed = sent === undefined || severities.includes(sent)
    const severityOverride = isListed ? sent : severityOf(sent)
    if (severityOverride === 'rejected') return [400]
    return [method === 'DELETE' ? 204 : 200, { id: 'a'.repeat(24), severityOverride }]
  })
  const rule = bodies['bodies.constraints-enforced']
  const label = '/severityOverride enum critical has an effect'
  expect(await outcomeIn(context, dated('createAlertConfig'), rule, label)).toBe(expected)
})

test.each([
  ['ignores a status in lower case', (path: string) => !/status=[A-Z]/.test(path), 'Violation'],
  ['rejects a status in lower case', () => 'rejected', 'passed'],
  ['filters by a status in lower case', () => false, 'passed'],
])('a server that %s', async (_, isIgnored, expected) => {
  const alerts = ['OPEN', 'CLOSED'].map((status, index) => ({ id: `${index}`.repeat(24), status }))
  const { context } = seeding(({ path }) => {
    const status = /status=(\w+)/.exec(path)?.[1]
    const reaction = status === undefined || isIgnored(path)
    if (reaction === 'rejected') return [400]
    const results = reaction ? alerts : alerts.filter((one) => one.status === status?.toUpperCase())
    return [200, { results, totalCount: results.length }]
  })
  const rule = listAlerts['listAlerts.status-filters']
  expect(await outcomeIn(context, dated('listAlerts'), rule, 'open')).toBe(expected)
})

/** Creates a server with one alert. `change` returns the changed fields, or `undefined` if the server rejects them. */
const serverWithAlert = (change: (sent: JsonObject) => object | undefined) => {
  let alert: object = { id: 'a'.repeat(24), alertConfigId: 'b'.repeat(24), status: 'OPEN' }
  const { context } = seeding(
    ({ method, path, body }) => {
      if (method === 'DELETE') return [204]
      if (path.includes('/alertConfigs')) return [200, { id: 'b'.repeat(24) }]
      const sent = parseJson(body ?? '')
      const changed = isObject(sent) ? change(sent) : {}
      if (changed === undefined) return [400]
      alert = { ...alert, ...changed }
      return [200, alert]
    },
    { event: () => ['a'.repeat(24)] },
  )
  return context
}

test.each([
  ['honors a flag of a later version', 'honors', 'Violation'],
  ['ignores a flag of a later version', 'ignores', 'passed'],
  ['rejects a flag of a later version', 'rejects', 'passed'],
])('a server that %s', async (_, reaction, expected) => {
  const context = serverWithAlert(({ acknowledgedUntil, unacknowledgeAlert }) => {
    if (reaction === 'rejects' && unacknowledgeAlert !== undefined) return undefined
    const isRemoved = reaction === 'honors' && unacknowledgeAlert === true
    return { acknowledgedUntil: isRemoved ? undefined : acknowledgedUntil }
  })
  const cell = context.api.cell('acknowledgeAlert', '2023-01-01') ?? expect.fail('no such cell')
  const rule = acknowledgeAlert['acknowledgeAlert.acknowledges']
  expect(await outcomeIn(context, cell, rule, 'with the flag of a later version')).toBe(expected)
})

test.each([
  ['keeps the acknowledgement because of a flag of a later version', true, 'stated'],
  ['ignores a flag of a later version in v1.0', false, 'passed'],
])('a server that %s', async (_, isHonored, expected) => {
  const context = serverWithAlert((sent) =>
    isHonored && 'unacknowledgeAlert' in sent ? {} : { acknowledgedUntil: sent.acknowledgedUntil },
  )
  const cell = context.api.cell('acknowledgeAlert', 'v1.0') ?? expect.fail('no such cell')
  const rule = acknowledgeAlert['acknowledgeAlert.omitted-unacknowledges']
  expect(await outcomeIn(context, cell, rule, 'with the flag of a later version')).toBe(expected)
})

test("the key of the run's own project has every role in the project and the organization", async () => {
  const { context, rows } = seeding(() => [200])
  const own = await ownProject(context)
  const grants = listAt(rows.get('apiKeys')?.at(-1), 'roles')
  const places = grants.map((grant) => stringAt(grant, 'groupId') ?? stringAt(grant, 'orgId'))
  expect(new Set(places)).toEqual(new Set([own.groupId, own.orgId]))
  expect(own.groupId).not.toBe(groupId)
  expect(new Set(grants.map((grant) => stringAt(grant, 'role')))).toEqual(new Set(roleIds))
})

test('a server that rejects the second page of a list', async () => {
  const items = ['a', 'b', 'c'].map((id) => ({ id, links: [] }))
  const { context } = contextOver(({ path }) =>
    path.includes('pageNum=2') ? [404] : [200, { links: [], results: items, totalCount: items.length }],
  )
  const rule = paging['paging.number-selects']
  expect(await outcomeIn(context, dated('listAlertConfigs'), rule)).toBe('stated')
})

test.each([
  ['limits the hosts only without sharding', (sent: JsonObject) => 'sharding' in sent, 'stated'],
  ['limits the hosts of all migrations', () => false, 'passed'],
])('a server that %s', async (_, isIgnored, expected) => {
  const { context } = seeding(({ body }) => {
    const sent = parseJson(body ?? '')
    return isObject(sent) && isIgnored(sent) ? [201] : [400, { errorCode: 'VALIDATION_ERROR' }]
  })
  const rule = migrationRequest['migrationRequest.one-host']
  expect(await outcomeIn(context, dated('createMigration'), rule, '2 hosts')).toBe(expected)
})

test.each([
  [
    'lists only authorized Azure roles',
    ({ authorizedDate }: JsonObject) => authorizedDate !== undefined,
    'Violation',
  ],
  ['lists all Azure roles', () => true, 'passed'],
])('a server that %s', async (_, isListed, expected) => {
  const { context, rows } = seeding(({ path }) => {
    const own = (rows.get('cloudProviderAccessRoles') ?? []).filter(({ self }) =>
      String(self).startsWith(`/groups/${/groups\/(\w+)/.exec(path)?.[1]}/`),
    )
    const of = (provider: string) => own.filter(({ providerName }) => providerName === provider)
    return [200, { awsIamRoles: of('AWS'), azureServicePrincipals: of('AZURE').filter(isListed) }]
  })
  const rule = accessRoles['listCloudProviderAccessRoles.by-provider']
  expect(await outcomeIn(context, dated('listCloudProviderAccessRoles'), rule)).toBe(expected)
})

test.each([
  ['keeps configurations with open alerts', 204, 200, 'stated'],
  ['rejects the deletion of configurations with open alerts', 409, 200, 'Untestable'],
  ['deletes configurations with open alerts', 204, 404, 'passed'],
])('a server that %s', async (_, statusOfDelete, statusOfRead, expected) => {
  const alert = { id: 'a'.repeat(24), alertConfigId: 'b'.repeat(24), status: 'OPEN' }
  const { context } = seeding(
    ({ method, path }) => {
      if (method === 'DELETE') return [statusOfDelete]
      if (method === 'GET' && path.includes(alert.alertConfigId))
        return [statusOfRead, { error: 404, errorCode: 'RESOURCE_NOT_FOUND' }]
      return [200, path.includes('/alertConfigs') ? { id: alert.alertConfigId } : alert]
    },
    { event: () => [alert.id] },
  )
  const rule = deleteAlertConfig['deleteAlertConfig.gone']
  expect(await outcomeIn(context, dated('deleteAlertConfig'), rule, 'with an open alert')).toBe(expected)
})

test.each([
  ['confirms a provider in lower case, but keeps the role', 204, false, 'stated'],
  ['treats a provider in lower case as the listed value', 204, true, 'decided'],
  ['rejects a provider in lower case', 400, false, 'passed'],
])('a server that %s', async (_, status, isRemoved, expected) => {
  let isGone = false
  const { context, rows } = seeding(({ method, path }) => {
    if (method === 'DELETE') {
      isGone = isRemoved
      return [status, { error: status, errorCode: 'VALIDATION_ERROR' }]
    }
    const [role = {}] = rows.get('cloudProviderAccessRoles') ?? []
    if (path.endsWith('/cloudProviderAccess')) return [200, { awsIamRoles: isGone ? [] : [role] }]
    return isGone ? [404, { error: 404, errorCode: 'RESOURCE_NOT_FOUND' }] : [200, role]
  })
  const rule = deauthorizeRole['deauthorizeCloudProviderAccessRole.providers']
  const cell = dated('deauthorizeCloudProviderAccessRole')
  expect(await outcomeIn(context, cell, rule, 'invalid aws')).toBe(expected)
})

test.each<[string, (before: JsonObject, sent: JsonObject) => JsonObject, string]>([
  [
    'turns on the flag when auditing is enabled',
    ({ auditAuthorizationSuccess = false }, { enabled = auditAuthorizationSuccess }) => ({
      auditAuthorizationSuccess: enabled,
    }),
    'stated',
  ],
  [
    'turns on auditing when the filter changes',
    ({ enabled = false }, { auditFilter }) => ({ enabled: auditFilter === undefined ? enabled : true }),
    'stated',
  ],
  ['keeps what an update omits', () => ({}), 'passed'],
])('a server that %s', async (_, effectOf, expected) => {
  let config: JsonObject = { enabled: false, auditAuthorizationSuccess: false, auditFilter: '{}' }
  const { context } = seeding(({ body }) => {
    const sent = parseJson(body ?? '')
    if (isObject(sent)) config = { ...config, ...effectOf(config, sent), ...sent }
    return [200, config]
  })
  const rule = optionalFields['bodies.optional-fields-apart']
  expect(await outcomeIn(context, dated('updateAuditingConfig'), rule)).toBe(expected)
})

test.each([
  ['has no count in envelopes', [], 'Violation'],
  ['has the same fields in envelopes', [['totalCount', 0]], 'passed'],
])('a server that %s', async (_, counted, expected) => {
  const list = { links: [], results: [] }
  const { context } = contextOver(({ path }) =>
    path.includes('envelope=true')
      ? [200, { status: 200, ...list, ...Object.fromEntries(counted) }]
      : [200, { ...list, totalCount: 0 }],
  )
  const rule = envelope['envelope.list-in-results']
  expect(await outcomeIn(context, dated('listAlerts'), rule, 'same fields')).toBe(expected)
})
