import { expect, it } from 'vitest'
import { startChecked } from '../../test/checked-server.ts'
import { freePort } from '../../test/free-port.ts'

const paths = ['/healthz', '/readyz', '/metrics']

it('health checks and metrics are on the port of the API by default', async () => {
  const server = await startChecked({ metrics: true })
  expect(server.managementUrl).toBe(server.url)
  for (const path of paths) expect((await fetch(server.url + path)).status).toBe(200)
})

it('health checks and metrics can have a port of their own, and are then on no other', async () => {
  const managementPort = await freePort()
  const server = await startChecked({ metrics: true, managementPort })
  expect(server.managementUrl).toBe(`http://127.0.0.1:${managementPort}`)
  for (const path of paths) {
    expect((await fetch(server.url + path)).status).toBe(404)
    expect((await fetch(server.managementUrl + path)).status).toBe(200)
    expect((await fetch(server.managementUrl + path, { method: 'POST' })).status).toBe(404)
  }
  expect(await (await fetch(`${server.managementUrl}/metrics`)).text()).toContain(
    'process_resident_memory_bytes ',
  )
  for (const path of ['/', '/api/svc/v2/groups', '/sandbox/credentials.json'])
    expect((await fetch(server.managementUrl + path)).status).toBe(404)
  await server.stop()
  await expect(fetch(`${server.managementUrl}/healthz`)).rejects.toThrow()
})

it('a management port in use is rejected', async () => {
  const managementPort = await freePort()
  await startChecked({ managementPort })
  await expect(startChecked({ managementPort })).rejects.toThrow(/EADDRINUSE/)
})
