import { loadDemo } from '@svc-admin/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckedServer, orgId, projectId, type RequestOptions } from '../checked-server.ts'
import { rowsOf, startIdle } from '../stored-rows.ts'
import { bearerOf } from '../token.ts'

/**
 * Tests API1:2023 between projects. If a body refers to a resource in a different project, the response must be the
 * same as for a resource that doesn't exist. The other project can be in the same organization or in a different one.
 * The caller owns only one project, and uses both an API key and a service account.
 */
const owner = 'projownr'
const staging = '64b7e1c20f3a5d6e7f809102'
const foreign = '64b7e1c20f3a5d6e7f809201'
const nowhere = '64b7e1c20f3a5d6e7f80ffff'

/** The resources in a project that request bodies can refer to. */
interface Named {
  readonly groupId: string
  readonly clusterName: string
  readonly bucketId: string
  readonly roleId: string
  readonly snapshotId: string
}
const ofNobody = {
  groupId: nowhere,
  clusterName: 'nowhere',
  bucketId: nowhere,
  roleId: nowhere,
  snapshotId: nowhere,
}
const neighbors: Record<string, Named> = {
  'the other organization': {
    groupId: foreign,
    clusterName: 'menus',
    bucketId: '66d0b2c30f3a5d6e7f80b221',
    roleId: '66d0a1b20f3a5d6e7f80b121',
    snapshotId: '691ae3900f3a5d6e7f80b421',
  },
}

const group = `/groups/${projectId}`
const backup = `${group}/clusters/orders-eu/backup`
const [snapshotId, exportBucketId] = ['691ae3900f3a5d6e7f80b402', '66d0b2c30f3a5d6e7f80b201']
type Attempt = readonly [what: string, method: string, path: string, body: (named: Named) => unknown]
const attempts: readonly Attempt[] = [
  [
    'the target of a restore',
    'POST',
    `${backup}/restoreJobs`,
    ({ groupId: targetGroupId, clusterName: targetClusterName }) => ({
      deliveryType: 'pointInTime',
      pointInTimeUTCSeconds: 1_763_452_800,
      targetGroupId,
      targetClusterName,
    }),
  ],
  [
    'the snapshot of a restore',
    'POST',
    `${backup}/restoreJobs`,
    ({ snapshotId }) => ({ deliveryType: 'download', snapshotId }),
  ],
  [
    'the bucket of an export',
    'POST',
    `${backup}/exports`,
    ({ bucketId }) => ({ snapshotId, exportBucketId: bucketId }),
  ],
  [
    'the snapshot of an export',
    'POST',
    `${backup}/exports`,
    ({ snapshotId }) => ({ snapshotId, exportBucketId }),
  ],
  [
    'the bucket of a schedule',
    'PATCH',
    `${backup}/schedule`,
    ({ bucketId }) => ({ autoExportEnabled: true, export: { exportBucketId: bucketId } }),
  ],
  [
    'the role of a bucket',
    'POST',
    `${group}/backup/exportBuckets`,
    ({ roleId }) => ({ bucketName: 'neighbors', cloudProvider: 'AWS', iamRoleId: roleId }),
  ],
]

let server: CheckedServer
let callers: readonly (readonly [string, RequestOptions])[] = []
let before: readonly string[] = []

beforeAll(async () => {
  server = await startIdle()
  const made = async (path: string, json: unknown, method = 'POST') => {
    const response = await server.ask(`/groups/${staging}/${path}`, { method, json, as: 'stagownr' })
    expect(response.status).toBe(200)
    return response
  }
  const roleId = (await made('cloudProviderAccess', { providerName: 'AWS' })).textAt('roleId')
  const iamAssumedRoleArn = 'arn:aws:iam::123456789012:role/staging'
  await made(`cloudProviderAccess/${roleId}`, { providerName: 'AWS', iamAssumedRoleArn }, 'PATCH')
  const bucket = { bucketName: 'staging', cloudProvider: 'AWS', iamRoleId: roleId }
  neighbors['the other project'] = {
    groupId: staging,
    clusterName: 'orders-eu-staging',
    bucketId: (await made('backup/exportBuckets', bucket)).textAt('_id'),
    roleId,
    snapshotId: '691ae3900f3a5d6e7f80b403',
  }
  const account = loadDemo().serviceAccounts?.find(({ clientId }) => clientId === `svc_sa_${owner}`)
  const authorization = await bearerOf(server.url, {
    clientId: String(account?.clientId),
    clientSecret: String(account?.clientSecret),
  })
  callers = [
    ['an API key', { as: owner }],
    ['a service account', { as: null, headers: { authorization } }],
  ]
  before = await rowsOf(server)
})
afterAll(() => server.stop())

/**
 * Returns the parts of a response that could reveal whether a resource exists. Names that the request contained are
 * removed.
 */
function told(text: string, named: Named): string {
  return Object.values(named).reduce((rest, name) => rest.replaceAll(name, '…'), text)
}

describe.each(attempts)('%s', (_, method, path, bodyOf) => {
  it('returns the same error for a resource of another project as for an unknown one', async () => {
    for (const [caller, ask] of callers) {
      const responseTo = async (named: Named) => {
        const response = await server.ask(path, { ...ask, method, json: bodyOf(named) })
        return [caller, response.status, told(response.text, named)]
      }
      const refused = await responseTo(ofNobody)
      expect(refused[1]).toBe(404)
      expect(Object.keys(neighbors)).toHaveLength(2)
      for (const named of Object.values(neighbors)) expect(await responseTo(named)).toEqual(refused)
    }
  })
})

it('leaves every project unchanged', async () => {
  const after = await rowsOf(server)
  expect(after.sort()).toEqual([...before].sort())
})

it('can read its organization and nothing else of it', async () => {
  const links = (id: string) => `/orgs/${id}/liveMigrations/linkTokens`
  for (const [, ask] of callers) {
    const asked = async (path: string) => (await server.ask(path, { ...ask, method: 'DELETE' })).status
    expect([await asked(links(orgId)), await asked(links('64b7e0a10f3a5d6e7f809002'))]).toEqual([403, 404])
    const found = async (groupId: string) => (await server.ask(`/groups/${groupId}/alerts`, ask)).status
    expect([await found(staging), await found(foreign), await found(nowhere)]).toEqual([404, 404, 404])
  }
})
