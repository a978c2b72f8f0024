import { describe, expect, it } from 'vitest'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const roles = `/groups/${projectId}/cloudProviderAccess`
const exporting = '66d0a1b20f3a5d6e7f80b101'
const unauthorized = '66d0a1b20f3a5d6e7f80b102'
const unused = '66d0a1b20f3a5d6e7f80b103'
const azure = '66d0a1b20f3a5d6e7f80b104'
const foreign = '66d0a1b20f3a5d6e7f80b121'
const nobodys = '66d0a1b20f3a5d6e7f80bfff'
const arn = 'arn:aws:iam::123456789012:role/svc-new-export'

const create = (server: CheckedServer, providerName: unknown) =>
  server.ask(roles, { method: 'POST', json: { providerName } })
const authorize = (server: CheckedServer, roleId: string, json: unknown) =>
  server.ask(`${roles}/${roleId}`, { method: 'PATCH', json })
const deauthorize = (server: CheckedServer, provider: string, roleId: string) =>
  server.ask(`${roles}/${provider}/${roleId}`, { method: 'DELETE' })

async function listed(server: CheckedServer, list: string): Promise<string[]> {
  const found = (await server.ask(roles)).at(list)
  return Array.isArray(found) ? found.map((one) => one.roleId) : []
}

describe('a created role', () => {
  it('for AWS waits for authorization and contains the account to trust', async () => {
    const server = await startChecked()
    const role = await create(server, 'AWS')
    expect([role.status, role.at('authorizedDate'), role.at('iamAssumedRoleArn')]).toEqual([
      200,
      undefined,
      undefined,
    ])
    expect(role.body).toMatchObject({
      providerName: 'AWS',
      createdDate: '2026-03-01T12:00:00Z',
      featureUsages: [],
    })
    expect(role.textAt('svcAWSAccountArn')).toMatch(/^arn:aws:iam::\d{12}:root$/)
    expect(role.textAt('svcAssumedRoleExternalId')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/)
    expect((await server.ask(`${roles}/${role.textAt('roleId')}`)).body).toEqual(role.body)
  })

  it('has its own external ID', async () => {
    const server = await startChecked()
    const ids = [await create(server, 'AWS'), await create(server, 'AWS')].map((role) =>
      role.at('svcAssumedRoleExternalId'),
    )
    expect(new Set(ids).size).toBe(2)
  })

  it('for GCP is authorized from the start', async () => {
    const server = await startChecked()
    const role = await create(server, 'GCP')
    expect(role.at('authorizedDate')).toBe('2026-03-01T12:00:00Z')
    const again = await authorize(server, role.textAt('roleId'), { providerName: 'GCP' })
    expect([again.status, again.at('errorCode')]).toEqual([409, 'INVALID_STATE'])
  })

  it('requires a provider that can also be used for deletion', async () => {
    const server = await startChecked()
    expect((await create(server, 'ALIBABA')).body).toMatchObject({ parameters: ['/providerName'] })
    const absent = await server.ask(roles, { method: 'POST', json: {} })
    expect(absent.body).toMatchObject({ error: 400, parameters: ['/providerName'] })
  })

  it('can be read in v1.0 too, and links to itself there', async () => {
    const server = await startChecked()
    const role = await server.askV1(roles, { method: 'POST', json: { providerName: 'AZURE' } })
    expect(role.textAt('links', 0, 'href')).toBe(
      `${server.url}/api/svc/v1.0${roles}/${role.textAt('roleId')}`,
    )
  })
})

describe('authorizing a role', () => {
  it('sets the time and stores the ARN, once', async () => {
    const server = await startChecked()
    const role = await authorize(server, unauthorized, { providerName: 'AWS', iamAssumedRoleArn: arn })
    expect(role.body).toMatchObject({ authorizedDate: '2026-03-01T12:00:00Z', iamAssumedRoleArn: arn })
    expect((await server.ask(`${roles}/${unauthorized}`)).body).toEqual(role.body)
    expect((await authorize(server, unauthorized, { providerName: 'AWS' })).at('errorCode')).toBe(
      'INVALID_STATE',
    )
  })

  it('accepts a body without an ARN, or an ARN of 20 to 2048 characters', async () => {
    const server = await startChecked()
    const of = async (length: number) => {
      const roleId = (await create(server, 'AWS')).textAt('roleId')
      const iamAssumedRoleArn = 'a'.repeat(length)
      return (await authorize(server, roleId, { providerName: 'AWS', iamAssumedRoleArn })).status
    }
    expect(await Promise.all([19, 20, 2048, 2049].map(of))).toEqual([400, 200, 200, 400])
    expect((await authorize(server, unauthorized, { providerName: 'AWS' })).status).toBe(200)
  })

  it('is rejected under another provider and changes nothing', async () => {
    const server = await startChecked()
    const refused = await authorize(server, unauthorized, { providerName: 'AZURE' })
    expect(refused.body).toMatchObject({ errorCode: 'VALIDATION_ERROR', parameters: ['/providerName'] })
    expect((await server.ask(`${roles}/${unauthorized}`)).at('authorizedDate')).toBeUndefined()
  })

  it('returns 404 for a role of another project', async () => {
    const server = await startChecked()
    for (const roleId of [nobodys, foreign]) {
      expect((await authorize(server, roleId, { providerName: 'AWS' })).status).toBe(404)
    }
  })
})

describe('deauthorizing a role', () => {
  it('deletes it, authorized or not', async () => {
    const server = await startChecked()
    for (const roleId of [unused, unauthorized]) {
      expect((await deauthorize(server, 'AWS', roleId)).status).toBe(204)
      expect((await server.ask(`${roles}/${roleId}`)).status).toBe(404)
      expect((await deauthorize(server, 'AWS', roleId)).status).toBe(404)
    }
    expect(await listed(server, 'awsIamRoles')).toEqual([exporting])
  })

  it('returns 404 for a role under another provider', async () => {
    const server = await startChecked()
    expect((await deauthorize(server, 'GCP', unused)).status).toBe(404)
    expect((await deauthorize(server, 'NOBODY', unused)).body).toMatchObject({
      error: 400,
      parameters: ['cloudProvider'],
    })
    expect((await server.ask(`${roles}/${unused}`)).status).toBe(200)
  })

  it('leaves the roles of other projects unchanged', async () => {
    const server = await startChecked()
    expect((await deauthorize(server, 'AWS', foreign)).status).toBe(404)
  })
})

describe('a role that an export bucket uses', () => {
  const bucket = `/groups/${projectId}/backup/exportBuckets`

  it("lists the bucket and can't be deauthorized until the bucket is deleted", async () => {
    const server = await startChecked()
    const json = { bucketName: 'lindgren-third', cloudProvider: 'AWS', iamRoleId: unused }
    const created = (await server.ask(bucket, { method: 'POST', json })).textAt('_id')
    const usage = {
      featureType: 'EXPORT_SNAPSHOT',
      featureId: { groupId: projectId, exportBucketId: created },
    }
    expect((await server.ask(`${roles}/${unused}`)).at('featureUsages')).toEqual([usage])
    expect((await server.ask(roles)).at('awsIamRoles', 0, 'featureUsages')).toEqual([usage])
    const refused = await deauthorize(server, 'AWS', unused)
    expect([refused.at('errorCode'), refused.at('detail')]).toEqual([
      'INVALID_STATE',
      "The access role can't be deauthorized because a feature uses it.",
    ])
    await server.ask(`${bucket}/${created}`, { method: 'DELETE' })
    expect((await deauthorize(server, 'AWS', unused)).status).toBe(204)
  })

  it('lists the buckets of the demo', async () => {
    const server = await startChecked()
    const used = (await server.ask(`${roles}/${exporting}`)).at('featureUsages')
    expect(used).toMatchObject([
      { featureId: { exportBucketId: '66d0b2c30f3a5d6e7f80b201' } },
      { featureId: { exportBucketId: '66d0b2c30f3a5d6e7f80b202' } },
    ])
    expect((await deauthorize(server, 'AWS', exporting)).status).toBe(409)
  })
})

describe('the list of roles', () => {
  it('groups roles by provider, oldest first, without GCP roles', async () => {
    const server = await startChecked()
    await create(server, 'GCP')
    const created = (await create(server, 'AWS')).textAt('roleId')
    expect(await listed(server, 'awsIamRoles')).toEqual([unused, exporting, unauthorized, created])
    expect(await listed(server, 'azureServicePrincipals')).toEqual([azure])
  })

  it('has both fields if a project has no roles, and its roles link to themselves', async () => {
    const server = await startChecked()
    const empty = await server.ask('/groups/64b7e1c20f3a5d6e7f809102/cloudProviderAccess')
    expect(empty.body).toMatchObject({ awsIamRoles: [], azureServicePrincipals: [] })
    const href = (await server.ask(roles)).at('azureServicePrincipals', 0, 'links', 0, 'href')
    expect(href).toBe(`${server.url}/api/svc/v2${roles}/${azure}`)
  })

  it("returns 403 for callers who aren't owners", async () => {
    const server = await startChecked()
    expect((await server.ask(roles, { as: 'readonly' })).at('errorCode')).toBe('INSUFFICIENT_ROLE')
  })
})
