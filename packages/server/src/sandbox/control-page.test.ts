import { expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { rawRequest } from '../../test/raw-request.ts'

it('serves a page that allows no foreign or inline content and no forms', async () => {
  const server = await startChecked()
  for (const [path, type] of [
    ['/', 'text/html'],
    ['/page.css', 'text/css'],
    ['/page.js', 'text/javascript'],
    ['/worlds/main/', 'text/html'],
  ] as const) {
    const answer = await fetch(`${server.controlUrl}${path}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)])
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'/)
    expect(policy).not.toContain('unsafe')
    expect(await answer.text()).not.toMatch(/style="|<script>|https?:/)
  }
})

it('streams the requests of its own world as they complete, and ends with the server', async () => {
  const server = await startChecked()
  const { controlUrl, world } = await server.createWorld({ id: 'streamed' })
  const response = await fetch(`${controlUrl}/stream`)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  await reader?.read()
  await server.ask(`/groups/${projectId}/alerts`)
  await server.ask(`/groups/${projectId}/alertConfigs`, { at: '/worlds/streamed', nonceOf: world })
  const event = decoder.decode((await reader?.read())?.value)
  expect(event).toMatch(/^event: request\ndata: \{.*\}\n\n$/)
  expect(JSON.parse(event.split('data: ')[1] ?? '')).toMatchObject({
    operationId: 'listAlertConfigs',
    status: 200,
  })
  await server.stop()
  await expect(reader?.read()).resolves.toMatchObject({ done: true })
})

it('ends the stream of a removed world, and reports when the log is cleared', async () => {
  const server = await startChecked()
  const { controlUrl, remove } = await server.createWorld({ id: 'removed' })
  const reader = (await fetch(`${controlUrl}/stream`)).body?.getReader()
  const next = async () => new TextDecoder().decode((await reader?.read())?.value)
  await next()
  await server.control('DELETE', '/worlds/removed/requests')
  expect(await next()).toBe('event: clear\ndata: {}\n\n')
  await server.control('POST', '/worlds/removed/reset', {})
  expect(await next()).toBe('event: clear\ndata: {}\n\n')
  await remove()
  await expect(reader?.read()).resolves.toMatchObject({ done: true })
})

it('rejects requests from pages of other sites', async () => {
  const server = await startChecked()
  const lines = 'Host: localhost\r\nSec-Fetch-Site: cross-site'
  expect((await rawRequest(server.controlUrl ?? '', `GET /state HTTP/1.1\r\n${lines}\r\n\r\n`)).status).toBe(
    404,
  )
})

it('counts the requests of each world separately', async () => {
  const server = await startChecked()
  const { controlUrl } = await server.createWorld({ id: 'counted' })
  await server.ask(`/groups/${projectId}/alerts`)
  const text = async (url: string | undefined) => (await fetch(`${url}/metrics`)).text()
  expect(await text(server.controlUrl)).toMatch(
    /http_server_request_duration_seconds_count\{http_request_method="GET",operation_id="listAlerts",http_response_status_code="200"\} 1/,
  )
  expect(await text(controlUrl)).not.toContain('listAlerts')
})
