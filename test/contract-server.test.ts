import { demoTarget, openKit } from '@svc-admin/contract'
import { startServer } from '@svc-admin/server'
import { expect, test } from 'vitest'

test('the reference server keeps every promise, and every promise could be tested', {
  timeout: 600_000,
}, async () => {
  const server = await startServer({ sandbox: true })
  try {
    const target = demoTarget({
      baseUrl: server.url,
      ...(server.controlUrl ? { control: server.controlUrl } : {}),
    })
    const kit = await openKit({ target, parallel: 2 })
    const { results, left } = await kit.run()
    const wanting = results.filter(({ verdict }) => verdict !== 'PASS' && verdict !== 'NOT APPLICABLE')
    expect(
      wanting.map(({ id, verdict, expected, actual, reason }) => ({ id, verdict, expected, actual, reason })),
    ).toEqual([])
    expect(results.length).toBeGreaterThan(5000)
    expect(left).toEqual([])
  } finally {
    await server.stop()
  }
})
