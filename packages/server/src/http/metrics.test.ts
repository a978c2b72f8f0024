import { expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'

it('serves metrics of the process and of the requests, if enabled', async () => {
  const server = await startChecked({ metrics: true, sandbox: false })
  await server.ask(`/groups/${projectId}/alerts`)
  await server.ask(`/groups/${projectId}/alerts?token=tell-nobody`)
  await fetch(`${server.url}/no/such/path/tell-nobody`)
  const response = await fetch(`${server.url}/metrics`)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  expect(text).toContain('process_resident_memory_bytes ')
  expect(text).toMatch(
    /duration_seconds_count\{.*operation_id="listAlerts",http_response_status_code="200"\} 1/,
  )
  expect(text).toMatch(/duration_seconds_count\{.*operation_id="none",http_response_status_code="404"\} 1/)
  expect(text).not.toContain('tell-nobody')
  const plain = await startChecked({ sandbox: false })
  expect((await fetch(`${plain.url}/metrics`)).status).toBe(404)
})
