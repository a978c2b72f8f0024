import { limits } from '@svc-admin/types'
import { expect, test } from 'vitest'
import {
  contextOver,
  dated,
  groupId,
  outcomeIn,
  type Response,
  seeding,
  trialIn,
} from '../test/context-over.ts'
import listAccessLogsByCluster from './cases/access-tracking/listAccessLogsByCluster.ts'
import listMatcherFieldNames from './cases/alert-configurations/listMatcherFieldNames.ts'
import acknowledgeAlert from './cases/alerts/acknowledgeAlert.ts'
import auditing from './cases/auditing/auditing.ts'
import getSearchIndex from './cases/search/getSearchIndex.ts'
import limited from './cases/token-issuance/limited.ts'
import type { Rules } from './check/rule.ts'
import { isObject, type Json, type JsonObject, listAt, parseJson } from './document/json.ts'
import type { RawRequest } from './http/exchange.ts'
import { userOf } from './resources/access-logs.ts'
import { groupsOf } from './resources/optional-fields.ts'
import roles from './rules/auth/roles.ts'
import elsewhere from './rules/changes/elsewhere.ts'
import optionalFields from './rules/changes/optional-fields.ts'
import envelope from './rules/envelope/envelope.ts'
import links from './rules/errors/links.ts'
import paging from './rules/paging/paging.ts'
import bodies from './rules/parameters/bodies.ts'
import parameters from './rules/parameters/parameters.ts'
import methodAndPath from './rules/routes/method-and-path.ts'
import accept from './rules/versions/accept.ts'
import contentType from './rules/versions/content-type.ts'
import { createPrerequisites } from './run-context/prerequisites.ts'
import { demoTarget } from './target/demo.ts'

/** Servers that differ from the reference server, but conform. Checks must not report a violation. */

test.each([
  ['2026-02-01T00:00:00Z', 'NotApplicable'],
  ['2026-01-31T12:00:00Z', 'sent'],
])('at %s, a 410 response of an operation with the sunset date 2026-01-31: %s', async (now, expected) => {
  const trial = trialIn(seeding(() => [410], { now }).context, dated('listServerlessSnapshots'))
  const sent = trial.try({ parameters: { groupId, clusterName: 'a' }, as: { kind: 'none' } })
  expect(
    await sent.then(
      () => 'sent',
      ({ name }) => name,
    ),
  ).toBe(expected)
})

test.each([
  ['createMigration', 'migrationHosts'],
  ['takeSnapshot', 'retentionInDays'],
])('a server may require a field that no sentence calls optional: %s', (operation, required) => {
  const groups = groupsOf(dated(operation))
  expect(groups.flatMap(({ fields }) => fields.map(({ name }) => name))).not.toContain(required)
  for (const { base } of groups) expect(base).toHaveProperty(required)
})

test('an account that other checks use does not show the start of the token limit', async () => {
  const { context } = contextOver(() => [429], { target: demoTarget({ baseUrl: 'http://127.0.0.1' }) })
  const cell = dated('issueToken')
  expect(await outcomeIn(context, cell, limited['issueToken.limited'], 'within the limit')).toBe('Untestable')
})

test('a server may reject a name that already exists', async () => {
  const { context } = seeding(() => [409, { errorCode: 'DUPLICATE' }])
  const longest = outcomeIn(
    context,
    dated('createExportBucket'),
    bodies['bodies.bounds-accepted'],
    '/bucketName maxLength',
  )
  expect(await longest).toBe('Untestable')
})

test('a server may return no envelope for a response without a body', async () => {
  const { context } = seeding(({ method }) => (method === 'DELETE' ? [204] : [200, { id: 'a'.repeat(24) }]))
  const rule = envelope['envelope.status-member']
  expect(await outcomeIn(context, dated('deleteAlertConfig'), rule)).toBe('Untestable')
})

const served: readonly [requirement: keyof Rules, table: Rules, label?: string][] = [
  ['operations.method-and-path', methodAndPath],
  ['envelope.default-false', envelope, 'absent'],
  ['envelope.status-member', envelope],
  ['envelope.status-kept', envelope, 'success'],
  ['envelope.resource-in-content', envelope, 'with pretty=true'],
  ['pretty.indents', envelope],
  ['parameters.bounds-accepted', parameters, 'envelope true'],
  ['bodies.bounds-accepted', bodies, 'largest body'],
  ['bodies.optional-fields-apart', optionalFields],
  ['resources.links-array', links],
  ['roles.needed-role-suffices', roles, 'ORGANIZATION_OWNER digest'],
  ['versions.own-date-served', accept],
  ['versions.body-version-taken', contentType, 'bare'],
]

test.each(served)(
  'a change may conflict with the state of the server: %s',
  async (requirement, table, label) => {
    const { context } = seeding(({ method }) => [
      method === 'GET' ? 200 : 409,
      { errorCode: 'INVALID_STATE' },
    ])
    expect(await outcomeIn(context, dated('createMigration'), table[requirement], label)).toBe('Untestable')
  },
)

test('a read has no conflict', async () => {
  const { context } = contextOver(() => [409, { errorCode: 'INVALID_STATE' }])
  const rule = methodAndPath['operations.method-and-path']
  expect(await outcomeIn(context, dated('getCustomDns'), rule)).toBe('stated')
})

test('a server may reset the fields that an audit update omits', async () => {
  const initial = { enabled: false, auditFilter: '{}', auditAuthorizationSuccess: false }
  let current = initial
  const { context } = seeding(({ body }) => {
    const sent = parseJson(body ?? '')
    if (isObject(sent)) current = { ...initial, ...sent }
    return [200, current]
  })
  const rule = optionalFields['bodies.optional-fields-apart']
  expect(await outcomeIn(context, dated('updateAuditingConfig'), rule)).toBe('decided')
})

test('a server may have other matcher field names than the example', async () => {
  const rule = listMatcherFieldNames['listMatcherFieldNames.answers-with-names']
  const outcomeWith = (...names: readonly string[]) =>
    outcomeIn(contextOver(() => [200, names]).context, dated('listMatcherFieldNames'), rule)
  expect(await outcomeWith('CLUSTER_NAME')).toBe('decided')
  expect(await outcomeWith('CLUSTER_NAME', 'APPLICATION_ID')).toBe('passed')
})

test('a server may ignore unknown query parameters', async () => {
  const { context } = contextOver(() => [200, { enabled: true }])
  const cell = dated('getCustomDns')
  expect(await outcomeIn(context, cell, envelope['pretty.indents'], 'error')).toBe('Untestable')
})

test.each([
  ['no resource is unknown', 204, 'Untestable'],
  ["only another tenant's resource is known", 404, 'Violation'],
])("a removal of another tenant's resource succeeds: %s", async (_, statusOfUnknown, expected) => {
  const demo = { ...demoTarget({ baseUrl: 'http://127.0.0.1' }), foreignMayBeLost: true }
  const foreign = demo.foreign?.alertConfigId ?? expect.fail('no such resource')
  const respond = ({ method, path }: RawRequest): Response => {
    if (method !== 'DELETE') return [200, { id: 'b'.repeat(24) }]
    return [path.includes(foreign) ? 204 : statusOfUnknown]
  }
  const { context } = contextOver(respond, { target: demo, prerequisites: createPrerequisites(demo) })
  const rule = roles['roles.without-role-refused']
  expect(await outcomeIn(context, dated('deleteAlertConfig'), rule, 'alertConfigId')).toBe(expected)
})

test('a server may derive the type of an auditing configuration in another way', async () => {
  const { context, rows } = seeding(() => [
    200,
    { ...rows.get('auditingConfigs')?.at(-1), configurationType: 'JSON' },
  ])
  const rule = auditing['getAuditingConfig.answers-with-auditing-config']
  expect(await outcomeIn(context, dated('getAuditingConfig'), rule)).toBe('decided')
})

test('a resource that exists only once has the same ID in every response', () => {
  const { at } = [elsewhere['resources.created-apart'] ?? []].flat()[0] ?? expect.fail('no such rule')
  expect(at(dated('createSearchNodes'))).toBe('the resource exists only once')
  expect(at(dated('createAlertConfig'))).toBe(true)
})

test.each([
  ['an empty list, as for unknown hosts', [], 'Untestable'],
  ["another tenant's entries", [{ username: 'a' }], 'Violation'],
])("a list of another tenant's host contains %s", async (_, entries, expected) => {
  const demo = demoTarget({ baseUrl: 'http://127.0.0.1' })
  const foreign = demo.foreign?.hostname ?? expect.fail('no such host')
  const { context } = contextOver(
    ({ path }) => [
      200,
      { accessLogs: path.includes(foreign) ? entries : [], links: [{ href: path, rel: 'self' }] },
    ],
    { target: demo, prerequisites: createPrerequisites(demo) },
  )
  const rule = roles['roles.without-role-refused']
  expect(await outcomeIn(context, dated('listAccessLogsByHostname'), rule, 'hostname')).toBe(expected)
})

test('a server may count the token requests of all clients together', async () => {
  const limit = (moved: boolean) => {
    let left = moved ? 10 : 5
    const { context } = seeding(() => (left-- > 0 ? [200] : [429]))
    const { canMoveClock, ...others } = context.prerequisites
    return { ...context, prerequisites: { ...others, canMoveClock: canMoveClock && moved } }
  }
  const rule = limited['issueToken.limited']
  expect(await outcomeIn(limit(true), dated('issueToken'), rule, 'within the limit')).toBe('passed')
  expect(await outcomeIn(limit(false), dated('issueToken'), rule, 'within the limit')).toBe('decided')
})
/** Returns the page that a request selects, or 404 if the list has no such page. */
const existingPage = (path: string, items: readonly unknown[]): readonly [number, unknown?] => {
  const { searchParams } = new URL(path, 'http://127.0.0.1')
  const size = Number(searchParams.get('itemsPerPage') ?? limits.itemsPerPage.default)
  const skipped = (Number(searchParams.get('pageNum') ?? 1) - 1) * size
  if (skipped > 0 && skipped >= items.length) return [404, { errorCode: 'PAGE_NOT_FOUND' }]
  return [200, { links: [], results: items.slice(skipped, skipped + size), totalCount: items.length }]
}

test.each([
  ['paging.number-selects', '', 1, 'Untestable'],
  ['paging.number-selects', '', 2, 'Untestable'],
  ['paging.number-selects', '', 3, 'passed'],
  ['paging.number-selects', 'with envelope=true', 1, 'Untestable'],
  ['resources.links-array', 'empty page', 3, 'Untestable'],
] as const)(
  'a server may reject a page after the end: %s, "%s", %i items',
  async (id, label, count, outcome) => {
    const items = Array.from({ length: count }, (_, index) => ({ id: `${index}`, links: [] }))
    const { context } = contextOver(({ path }) => existingPage(path, items))
    const rule = { ...paging, ...links }[id]
    expect(await outcomeIn(context, dated('listAlertConfigs'), rule, label)).toBe(outcome)
  },
)

test.each(['after a removal', 'after an update'])(
  'a server may reject a page after the end %s',
  async (label) => {
    const removed: string[] = []
    const { context, rows } = seeding(({ method, path }) => {
      const items = (rows.get('alertConfigs') ?? []).filter(({ id }) => !removed.includes(String(id)))
      if (method === 'DELETE') removed.push(/\w+$/.exec(path)?.[0] ?? '')
      return method === 'GET' ? existingPage(path, items) : [200, items[0]]
    })
    const rule = paging['paging.total-count']
    expect(await outcomeIn(context, dated('listAlertConfigs'), rule, label)).toBe('passed')
  },
)

test.each([
  ['getCloudProviderAccessRole', 'authorizedDate', 'decided'],
  ['getCloudProviderAccessRole', 'iamAssumedRoleArn', 'decided'],
  ['createExportJob', 'finishedAt', 'decided'],
  ['listRestoreJobs', 'results/0/targetGroupId', 'decided'],
  ['getSnapshot', 'description', 'decided'],
  ['getSearchIndex', 'synonymMappingStatus', 'decided'],
  ['getBackupSchedule', 'nextSnapshot', 'stated'],
  ['getAlertConfig', 'severityOverride', 'stated'],
])('a null that %s returns for %s is %s', (id, path, strength) => {
  const { definition, row, version } = dated(id)
  const [place] = definition.responses.get(row.success)?.content.values() ?? []
  const value = path
    .split('/')
    .reduceRight<Json>((inner, name) => (name === '0' ? [inner] : { [name]: inner }), null)
  const errors = version.validator.check(place?.pointer ?? '', value)
  const found = errors.filter(({ at }) => at === `/${path}`)
  expect(new Set(found.map((one) => one.strength))).toEqual(new Set([strength]))
})

test('a server may reject an empty acknowledge body in versions with unacknowledgeAlert', async () => {
  const alert = { id: 'a'.repeat(24), alertConfigId: 'b'.repeat(24), status: 'OPEN' }
  let current: JsonObject = alert
  const { context } = seeding(
    ({ method, path, body }, as) => {
      if (path.includes('/alertConfigs')) return [200, { id: alert.alertConfigId }]
      if (method !== 'PATCH') return [200, current]
      const sent = parseJson(body ?? '')
      if (!isObject(sent) || Object.keys(sent).length === 0) return [400, { errorCode: 'VALIDATION_ERROR' }]
      const acknowledgingUsername = `${JSON.stringify(as)}@example.com`
      current = sent.unacknowledgeAlert === true ? alert : { ...alert, ...sent, acknowledgingUsername }
      return [200, current]
    },
    { event: () => [alert.id] },
  )
  const rule = acknowledgeAlert['acknowledgeAlert.acknowledges']
  expect(await outcomeIn(context, dated('acknowledgeAlert'), rule, 'by a second caller')).toBe('passed')
})

test.each([
  ['assigns identifiers to notifications', { notifierId: 'c'.repeat(24) }, 1, 'decided'],
  ['stores notifications', {}, 1, 'passed'],
  ['stores each notification twice', {}, 2, 'stated'],
])('createAlertConfig on a server that %s', async (_, assigned, times, outcome) => {
  let config: JsonObject = {}
  const { context } = seeding(({ method, body }) => {
    const sent = parseJson(body ?? '')
    if (method !== 'GET' && isObject(sent)) {
      const notifications = listAt(sent, 'notifications').flatMap((one) =>
        Array<Json>(times).fill({ ...(isObject(one) && one), ...assigned }),
      )
      config = { enabled: false, matchers: [], ...sent, notifications, id: 'b'.repeat(24) }
    }
    return [200, config]
  })
  const rule = optionalFields['bodies.optional-fields-apart']
  expect(await outcomeIn(context, dated('createAlertConfig'), rule)).toBe(outcome)
})

test.each(['getSearchIndex', 'getSearchIndexByName'] as const)(
  '%s may return other fields in latestDefinitionVersion',
  async (id) => {
    const latestDefinitionVersion = { number: 7 }
    const { context, rows } = seeding(() => [
      200,
      { ...rows.get('searchIndexes')?.[0], latestDefinitionVersion },
    ])
    const rule = getSearchIndex[`${id}.answers-with-search-index`]
    expect(await outcomeIn(context, dated(id), rule)).toBe('decided')
  },
)

test.each<[string, (user: string) => JsonObject[], string]>([
  ['no username', () => [{ attempt: { succeeded: true } }], 'Untestable'],
  ['the username in another field', (user) => [{ attempt: { user } }], 'passed'],
  ["another cluster's username", () => [{ username: 'other' }], 'Violation'],
  ['no entries', () => [], 'Violation'],
])('an access history with %s', async (_, entriesOf, outcome) => {
  const { context } = seeding(({ path }) => {
    const clusterName = /clusters\/([\w-]+)/.exec(path)?.[1] ?? ''
    return [200, { accessLogs: entriesOf(userOf(context, clusterName)) }]
  })
  const rule = listAccessLogsByCluster['listAccessLogsByCluster.only-this-cluster']
  expect(await outcomeIn(context, dated('listAccessLogsByCluster'), rule)).toBe(outcome)
})

test.each([
  ['only its own', 'one', 'passed'],
  ["another project's", 'other', 'Violation'],
  ["neither project's", 'nobody', 'Untestable'],
])('a cluster whose access history has %s login attempts', async (_, user, outcome) => {
  const { context } = seeding(() => [200, { accessLogs: [{ username: `tag-${user}` }] }])
  const rule = listAccessLogsByCluster['listAccessLogsByCluster.only-this-cluster']
  expect(await outcomeIn(context, dated('listAccessLogsByCluster'), rule, 'same name')).toBe(outcome)
})

test.each([
  ['indents', true, 'passed'],
  ["doesn't indent", false, 'Violation'],
])('a server that ignores unknown parameters and %s errors', async (_, isIndented, outcome) => {
  const invalid = { error: 400, errorCode: 'VALIDATION_ERROR' }
  const { context } = contextOver(({ path }) =>
    path.includes('malformed') ? [400, invalid, isIndented ? 2 : 0] : [200, {}],
  )
  const cell = dated('getCustomDns')
  expect(await outcomeIn(context, cell, envelope['pretty.two-spaces'], 'error')).toBe(outcome)
})
