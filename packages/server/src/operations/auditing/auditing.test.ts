import { describe, expect, it } from 'vitest'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const audit = `/groups/${projectId}/auditLog`
const staging = '/groups/64b7e1c20f3a5d6e7f809102/auditLog'

const change = (server: CheckedServer, json: unknown, path = audit) =>
  server.ask(path, { method: 'PATCH', json })

async function projectOf(server: CheckedServer, ...tiers: string[]): Promise<string> {
  const id = '64b7e1c20f3a5d6e7f8091aa'
  const clusters = tiers.map((tier) => ({
    groupId: id,
    name: `of-${tier}`,
    tier,
    type: tier === 'SERVERLESS' ? tier : 'REPLICASET',
    databaseVersion: '8.0.4',
    provider: 'AWS',
  }))
  const projects = [{ id, orgId: '64b7e0a10f3a5d6e7f809001', name: 'small' }]
  await server.control('POST', '/seed', { projects, clusters })
  return `/groups/${id}/auditLog`
}

describe('the auditing configuration', () => {
  it('of a new project is off and has no filter', async () => {
    const server = await startChecked()
    const { body } = await server.ask(staging)
    expect(body).toEqual({
      auditAuthorizationSuccess: false,
      configurationType: 'NONE',
      enabled: false,
      links: [{ href: `${server.url}/api/svc/v2${staging}`, rel: 'self' }],
    })
  })

  it('stores the fields that are sent and keeps the others', async () => {
    const server = await startChecked()
    const filter = JSON.stringify({ atype: 'authCheck', note: 'with "quotes"' })
    const first = await change(server, { auditFilter: filter }, staging)
    expect(first.body).toMatchObject({
      auditFilter: filter,
      configurationType: 'FILTER_JSON',
      enabled: false,
    })
    const second = await change(server, { enabled: true, auditAuthorizationSuccess: true }, staging)
    expect(second.body).toMatchObject({ auditFilter: filter, enabled: true, auditAuthorizationSuccess: true })
    expect((await server.ask(staging)).body).toEqual(second.body)
    expect((await change(server, {}, staging)).body).toEqual(second.body)
  })

  it('is the same in v1.0', async () => {
    const server = await startChecked()
    await change(server, { enabled: false })
    const { body } = await server.askV1(audit)
    expect(body).toMatchObject({
      enabled: false,
      auditFilter: '{"atype": "authenticate", "param.db": "admin"}',
    })
  })

  it.each(['', '{', '{"a":}', 'atype'])(
    'rejects the filter %j, which is not a JSON object',
    async (auditFilter) => {
      const server = await startChecked()
      const refused = await change(server, { auditFilter })
      expect(refused.body).toMatchObject({ errorCode: 'VALIDATION_ERROR', parameters: ['/auditFilter'] })
    },
  )
})

describe('an update of the auditing configuration', () => {
  it('is rejected if no cluster of the project supports auditing, unless it turns auditing off', async () => {
    const server = await startChecked()
    const path = await projectOf(server, 'M0', 'M2', 'M5', 'SERVERLESS')
    for (const [json, parameters] of [
      [{ enabled: true }, ['/enabled']],
      [{ auditFilter: '{}' }, ['/auditFilter']],
      [{ enabled: false, auditFilter: '{}' }, ['/auditFilter']],
      [{ auditAuthorizationSuccess: true, enabled: true }, ['/enabled', '/auditAuthorizationSuccess']],
    ] as const) {
      const refused = { error: 400, errorCode: 'TIER_NOT_SUPPORTED', parameters }
      expect((await change(server, json, path)).body).toMatchObject(refused)
    }
    for (const json of [{}, { enabled: false }, { auditAuthorizationSuccess: false }])
      expect((await change(server, json, path)).status).toBe(200)
    expect((await server.ask(path)).body).toMatchObject({ enabled: false, configurationType: 'NONE' })
  })

  it('is accepted if another cluster supports auditing', async () => {
    const server = await startChecked()
    const path = await projectOf(server, 'M0', 'M10')
    expect((await change(server, { enabled: true }, path)).at('enabled')).toBe(true)
  })

  it('is accepted in a project without clusters', async () => {
    const server = await startChecked()
    expect((await change(server, { enabled: true }, await projectOf(server))).at('enabled')).toBe(true)
  })
})
