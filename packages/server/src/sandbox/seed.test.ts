import { loadControlDocument, loadDemo } from '@svc-admin/spec'
import { limits, type RoleId, roles } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { orgId, projectId, startChecked } from '../../test/checked-server.ts'
import { bearerOf } from '../../test/token.ts'
import { documentOf, newestVersion } from '../specification/documents.ts'
import { seed, seedCollections } from './seed.ts'

const nobodysId = 'f'.repeat(24)
const key = { publicKey: 'somebody', privateKey: 'secret' }
const account = { clientId: 'svc_sa_somebody', clientSecret: 'secret' }
const scoped = (scope: 'organization' | 'project') =>
  Object.entries(roles).flatMap(([role, row]) => (row.scope === scope ? [role as RoleId] : []))
const [ofProject, ofOrganization] = [scoped('project'), scoped('organization')]

describe('the role of a seeded credential', () => {
  it.each<[object, string]>([
    ...ofProject.flatMap((role): [object, string][] => [
      [{ role, orgId }, `${role} is a role in a project. It requires 'groupId' and must not have 'orgId'.`],
      [{ role, groupId: projectId, orgId }, "requires 'groupId' and must not have 'orgId'"],
    ]),
    ...ofOrganization.flatMap((role): [object, string][] => [
      [
        { role, groupId: projectId },
        `${role} is a role in an organization. It requires 'orgId' and must not have 'groupId'.`,
      ],
      [{ role, groupId: projectId, orgId }, "requires 'orgId' and must not have 'groupId'"],
    ]),
    [{ role: 'PROJECT_OWNER' }, "requires 'groupId' and must not have 'orgId'"],
    [
      { role: 'PROJECT_OWNER', groupId: nobodysId },
      `must be the ID of an existing project, not '${nobodysId}'`,
    ],
    [{ role: 'ORGANIZATION_OWNER', orgId: nobodysId }, 'must be the ID of an existing organization'],
    [{ role: 'KING', orgId }, "'role' must be one of ORGANIZATION_OWNER, ORGANIZATION_MEMBER, "],
    [{ role: 'PROJECT_OWNER', groupId: projectId, groupID: nobodysId }, "has an unknown field 'groupID'"],
  ])('is rejected if it is %j', async (grant, why) => {
    const server = await startChecked()
    const fine = { role: 'PROJECT_READ_ONLY', groupId: projectId }
    for (const [collection, credential] of [
      ['apiKeys', key],
      ['serviceAccounts', account],
    ] as const) {
      const refused = await server.control('POST', '/seed', {
        [collection]: [credential, { ...credential, roles: [fine, grant] }],
      })
      expect(refused.body).toMatchObject({ error: 400, errorCode: 'VALIDATION_ERROR' })
      expect(refused.textAt('detail')).toContain(why)
      expect(refused.textAt('detail')).toContain(`'${collection}[1].roles[1]'`)
    }
  })

  it('is also validated in fixtures', async () => {
    const server = await startChecked()
    const organizations = [{ id: orgId, name: 'Own' }]
    const projects = [{ id: projectId, orgId, name: 'first' }]
    const grant = { role: 'PROJECT_OWNER', groupId: projectId }
    const define = (more: object) =>
      server.control('PUT', '/fixtures/own', {
        organizations,
        projects,
        apiKeys: [{ ...key, roles: [{ ...grant, ...more }] }],
      })
    expect((await define({ orgId })).at('detail')).toMatch(
      /^In 'apiKeys\[0\]\.roles\[0\]': PROJECT_OWNER is a role in a project\. /,
    )
    expect((await define({ groupId: nobodysId })).status).toBe(400)
    expect((await define({})).status).toBe(200)
    expect((await server.control('POST', '/worlds', { fixture: 'own' })).status).toBe(200)
  })

  it.each([
    ...ofProject.map((role) => ({ role, groupId: projectId })),
    ...ofOrganization.map((role) => ({ role, orgId })),
  ])('is accepted on a resource of its scope: %j', async (grant) => {
    const server = await startChecked()
    const seeded = {
      apiKeys: [{ ...key, roles: [grant] }],
      serviceAccounts: [{ ...account, roles: [grant] }],
    }
    expect((await server.control('POST', '/seed', seeded)).status).toBe(200)
  })
})

describe('a resource that no API operation creates', () => {
  it.each([
    [
      'apiKeys',
      { ...key, accesslist: ['203.0.113.0/24'] },
      "'apiKeys[0]' has an unknown field 'accesslist'. Allowed fields: publicKey, privateKey, label, roles, accessList.",
    ],
    [
      'serviceAccounts',
      { ...account, ipAccessList: [] },
      "'serviceAccounts[0]' has an unknown field 'ipAccessList'",
    ],
    ['apiKeys', { ...key, accessList: null }, "'apiKeys[0].accessList' must be an array."],
    ['apiKeys', { ...key, accessList: '203.0.113.0/24' }, "'apiKeys[0].accessList' must be an array."],
    ['apiKeys', { ...key, roles: null }, "'apiKeys[0].roles' must be an array."],
    [
      'apiKeys',
      { ...key, accessList: ['203.0.113.0/24', '203.0.113.0/33'] },
      "In 'apiKeys[0]': 'accessList': '203.0.113.0/33' is neither an IP address nor a CIDR block.",
    ],
    [
      'serviceAccounts',
      { ...account, accessList: [''] },
      "'serviceAccounts[0].accessList[0]' must not be empty.",
    ],
    ['apiKeys', { publicKey: 'a' }, "'apiKeys[0].privateKey' is required."],
    [
      'apiKeys',
      { ...key, publicKey: 'a'.repeat(245) },
      "'apiKeys[0].publicKey' must be at most 244 characters",
    ],
    [
      'serviceAccounts',
      { ...account, clientId: 'a'.repeat(245) },
      "'serviceAccounts[0].clientId' must be at most",
    ],
    [
      'clusters',
      { ...loadDemo().clusters?.[0], hostnames: ['h'.repeat(256)] },
      "'clusters[0].hostnames[0]' must be at most 255 characters",
    ],
    [
      'backupSchedules',
      { groupId: projectId, clusterName: 'orders-eu', policies: [{}, {}] },
      `'backupSchedules[0].policies' must have at most ${limits.schedulePolicies.maxItems} element.`,
    ],
    [
      'searchNodes',
      {
        groupId: projectId,
        clusterName: 'orders-eu',
        specs: Array(limits.searchNodeSpecs.maxItems + 1).fill({}),
      },
      `'searchNodes[0].specs' must have exactly ${limits.searchNodeSpecs.maxItems} element.`,
    ],
    [
      'accessLogs',
      { groupId: projectId, clusterName: 'orders-eu', hostname: 'h'.repeat(limits.hostname.maxLength + 1) },
      `'accessLogs[0].hostname' must be at most ${limits.hostname.maxLength} characters`,
    ],
    [
      'organizations',
      { id: nobodysId, name: 'a', plan: 'b' },
      "'organizations[0]' has an unknown field 'plan'. Allowed fields: id, name.",
    ],
    ['projects', { id: nobodysId, orgId, name: 'a', tags: [] }, "'projects[0]' has an unknown field 'tags'"],
    [
      'projects',
      { id: nobodysId, orgId: nobodysId, name: 'a' },
      `In 'projects[0]': 'orgId' must be the ID of an existing organization, not '${nobodysId}'.`,
    ],
    [
      'clusters',
      { ...loadDemo().clusters?.[0], hostNames: [] },
      "'clusters[0]' has an unknown field 'hostNames'",
    ],
    [
      'clusters',
      { ...loadDemo().clusters?.[0], groupId: nobodysId },
      "In 'clusters[0]': 'groupId' must be the ID of an existing project",
    ],
  ])('has only the supported fields: %s %j', async (collection, field, detail) => {
    const server = await startChecked()
    const refused = await server.control('POST', '/seed', { [collection]: [field] })
    expect(refused.status).toBe(400)
    expect(refused.textAt('detail')).toContain(detail)
  })

  it('accepts names of any length, which the API reports as the author of changes', async () => {
    const server = await startChecked()
    const clientId = 'a'.repeat(244)
    const roles = [{ role: 'ORGANIZATION_OWNER', orgId }]
    await server.control('POST', '/seed', { serviceAccounts: [{ ...account, clientId, roles }] })
    const authorization = await bearerOf(server.url, { ...account, clientId })
    const put = await server.ask(`/groups/${projectId}/backupCompliancePolicy`, {
      method: 'PUT',
      as: null,
      headers: { authorization },
      json: { authorizedEmail: 'a@svc.example' },
    })
    expect(put.textAt('updatedUser')).toBe(`${clientId}@svc.example`)
  })

  it('is removed by its identifying fields, with or without the others', async () => {
    const server = await startChecked()
    const { clusters: [cluster] = [] } = loadDemo()
    expect((await server.control('POST', '/unseed', { clusters: [cluster] })).status).toBe(200)
    expect((await server.control('POST', '/unseed', { apiKeys: [{ publicKey: 'orgmembr' }] })).status).toBe(
      200,
    )
    expect((await server.control('POST', '/unseed', { alerts: [] })).status).toBe(400)
  })
})

it('is rejected with the path of the invalid field', async () => {
  const server = await startChecked()
  const { alerts: [alert] = [] } = loadDemo()
  const refused = await server.control('POST', '/seed', { alerts: [alert, { ...alert, created: 'noon' }] })
  expect(refused.at('detail')).toMatch(/^'alerts\[1\]\.created' must be an RFC 3339 date-time/)
})

describe('a seeded API resource', () => {
  const schedule = { groupId: projectId, clusterName: 'orders-eu' }
  const policy = { projectId, state: 'ACTIVE' }
  const webhook = (more: object) => ({ notifications: [{ typeName: 'WEBHOOK', ...more }] })
  const stored = (storedSource: unknown) => ({
    latestDefinition: { mappings: { dynamic: true }, storedSource },
  })
  const filtered = (filter: object) => ({
    latestDefinition: { analyzers: [{ name: 'own', tokenizer: { type: 'keyword' }, charFilters: [filter] }] },
  })
  const filter = '.latestDefinition.analyzers[0].charFilters[0]'

  it.each([
    ['backupSchedules', { ...schedule, restoreWindowDays: 'x' }, '.restoreWindowDays', 'must be an integer'],
    [
      'backupSchedules',
      { ...schedule, nextSnapshot: 'noon' },
      '.nextSnapshot',
      'must be an RFC 3339 date-time',
    ],
    [
      'backupSchedules',
      { ...schedule, policies: [{ policyItems: {} }] },
      '.policies[0].policyItems',
      'array',
    ],
    [
      'compliancePolicies',
      { ...policy, scheduledPolicyItems: {} },
      '.scheduledPolicyItems',
      'must be an array',
    ],
    ['compliancePolicies', { ...policy, pitEnabled: 'yes' }, '.pitEnabled', 'must be a boolean'],
    ['snapshots', { storageSizeBytes: '1' }, '.storageSizeBytes', 'must be an integer'],
    ['alertConfigs', { enabled: 'yes' }, '.enabled', 'must be a boolean'],
    ['searchIndexes', { queryable: 1 }, '.queryable', 'must be a boolean'],
    ['alertConfigs', webhook({ webhookUrl: 5 }), '.notifications[0].webhookUrl', 'must be a string'],
    ['alertConfigs', webhook({ delayMin: 'soon' }), '.notifications[0].delayMin', 'must be an integer'],
    ['alertConfigs', { notifications: [{ typeName: 5 }] }, '.notifications[0].typeName', 'must be a string'],
    ['alertConfigs', { notifications: ['x'] }, '.notifications[0]', 'must be an object'],
    ['searchIndexes', stored(5), '.latestDefinition.storedSource', 'must be a boolean or an object'],
    ['searchIndexes', stored({ include: 5 }), '.latestDefinition.storedSource.include', 'must be an array'],
    ['searchIndexes', filtered({ type: 'x' }), `${filter}.type`, 'must be one of htmlStrip, '],
    ['searchIndexes', filtered({}), `${filter}.type`, 'must be one of htmlStrip, '],
    ['searchIndexes', filtered({ type: 'mapping', mappings: 5 }), `${filter}.mappings`, 'must be an object'],
  ])("is rejected if it doesn't match the API schema: %s %j", async (collection, field, at, why) => {
    const server = await startChecked()
    const refused = await server.control('POST', '/seed', { [collection]: [field] })
    expect(refused.status).toBe(400)
    expect(refused.textAt('detail')).toContain(`'${collection}[0]${at}'`)
    expect(refused.textAt('detail')).toContain(why)
  })

  it("may have a kind that the schema doesn't list, and then any fields", async () => {
    const server = await startChecked()
    const [config] = loadDemo().alertConfigs ?? []
    const notifications = [{ typeName: 'CARRIER_PIGEON', delayMin: 'soon', webhookUrl: 5 }]
    const content = { alertConfigs: [{ ...config, notifications }] }
    expect((await server.control('POST', '/seed', content)).body).toEqual({})
  })

  it('matches the API schema throughout the demo', async () => {
    const server = await startChecked()
    expect((await server.control('POST', '/seed', loadDemo())).body).toEqual({})
  })

  it('has an existing schema for each collection', () => {
    const { properties = {} } = loadControlDocument().components.schemas.Seed ?? {}
    const named = Object.values(properties).flatMap(({ items }) => items?.['x-resource'] ?? [])
    const { schemas } = documentOf(newestVersion).components
    expect(named.length).toBeGreaterThan(20)
    for (const name of named) expect(schemas).toHaveProperty(String(name))
  })
})

it('a seeded resource may have additional properties', async () => {
  const server = await startChecked()
  const { alerts: [alert] = [] } = loadDemo()
  expect((await server.control('POST', '/seed', { alerts: [{ ...alert, more: 1 }] })).status).toBe(200)
  expect((await server.ask(`/groups/${projectId}/alerts/${alert?.id}`)).at('more')).toBe(1)
})

const hex = 'must have the format of 64b7e1c20f3a5d6e7f809101 (Twenty-four lowercase hexadecimal characters).'
const cluster = { tier: 'M30', type: 'REPLICASET', databaseVersion: '8.0', provider: 'AWS' }

describe('a seeded path that no request can use', () => {
  it.each<[object, string]>([
    [{ organizations: [{ id: 'Z'.repeat(24), name: 'x' }] }, `'organizations[0].id' ${hex}`],
    [{ projects: [{ id: 'zz', orgId, name: 'x' }] }, `'projects[0].id' ${hex}`],
    [
      { apiKeys: [{ ...key, roles: [{ role: 'PROJECT_OWNER', groupId: 'zz' }] }] },
      `roles[0].groupId' ${hex}`,
    ],
    [{ clusters: [{ ...cluster, groupId: projectId, id: 'zz', name: 'fine' }] }, `'clusters[0].id' ${hex}`],
    [
      { clusters: [{ ...cluster, groupId: projectId, name: 'bad name!' }] },
      "'clusters[0].name' must have the format of orders-eu (Name of a cluster within its project).",
    ],
    [{ alerts: [{ id: 'zz', groupId: projectId }] }, `'alerts[0].id' ${hex}`],
    [
      { snapshots: [{ clusterName: 'bad name!' }] },
      "'snapshots[0].clusterName' must have the format of orders-eu",
    ],
  ])('is rejected: %j', async (content, why) => {
    const server = await startChecked()
    const refused = await server.control('POST', '/seed', content)
    expect([refused.status, refused.at('detail')]).toEqual([400, expect.stringContaining(why)])
    expect((await server.control('PUT', '/fixtures/own', content)).at('detail')).toBe(refused.at('detail'))
  })
})

it('a seed has the collections of the document, which errors list', async () => {
  const listed = Object.keys(loadControlDocument().components.schemas.Seed?.properties ?? {})
  expect([...seedCollections].sort()).toEqual([...listed].sort())
  const server = await startChecked()
  expect((await server.control('POST', '/seed', { wrong: [] })).at('detail')).toBe(
    `The body has an unknown field 'wrong'. Allowed fields: ${listed.join(', ')}.`,
  )
  await expect(seed(server.world, { wrong: [] })).rejects.toThrow(
    `Unknown seed collection 'wrong'. Allowed collections: ${seedCollections.join(', ')}`,
  )
})
