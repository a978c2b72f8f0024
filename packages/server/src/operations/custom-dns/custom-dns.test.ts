import { describe, expect, it } from 'vitest'
import { projectId, startChecked } from '../../../test/checked-server.ts'

const dns = `/groups/${projectId}/awsCustomDNS`
const staging = '/groups/64b7e1c20f3a5d6e7f809102/awsCustomDNS'

describe('custom DNS', () => {
  it('is off by default', async () => {
    const server = await startChecked()
    expect((await server.ask(staging)).at('enabled')).toBe(false)
    const on = await server.ask(staging, { method: 'PATCH', json: { enabled: true } })
    expect([on.status, on.at('enabled')]).toEqual([200, true])
    expect((await server.ask(staging)).body).toEqual(on.body)
    expect((await server.askV1(staging)).at('enabled')).toBe(true)
  })

  it('can be turned off in v1.0 too', async () => {
    const server = await startChecked()
    expect((await server.askV1(dns, { method: 'PATCH', json: { enabled: false } })).at('enabled')).toBe(false)
    expect((await server.ask(dns)).at('enabled')).toBe(false)
  })

  it('requires the flag', async () => {
    const server = await startChecked()
    const refused = await server.ask(dns, { method: 'PATCH', json: {} })
    expect(refused.body).toMatchObject({ error: 400, parameters: ['/enabled'] })
  })

  it('is read by every role of the project and changed by its Svc admin', async () => {
    const server = await startChecked()
    const json = { enabled: false }
    expect((await server.ask(dns, { as: 'readonly' })).status).toBe(200)
    expect((await server.ask(dns, { as: 'readonly', method: 'PATCH', json })).status).toBe(403)
    expect((await server.ask(dns, { as: 'svcadmin', method: 'PATCH', json })).status).toBe(200)
  })
})
