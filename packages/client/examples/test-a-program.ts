// Tests a program that uses the client.
// The test simulates faults without a network and uses a test clock to skip delays.
import { strict as assert } from 'node:assert'
import { type Clients, createClient } from '@svc-admin/client'
import {
  createHandlers,
  createStubFetch,
  createTestClock,
  unavailable,
  withFaults,
} from '@svc-admin/client/testing'

/** The program under test, which counts a project's open alerts. */
async function countOpen(client: Clients['2025-03-12'], groupId: string): Promise<number> {
  return (await client.listAlerts.toArray({ groupId, status: 'OPEN' })).length
}

const clock = createTestClock()
const respond = createHandlers<'2025-03-12'>({
  listAlerts: { links: [], results: [], totalCount: 0 },
})
const stub = createStubFetch(withFaults([unavailable(20)], respond))
const client = createClient({
  baseUrl: 'https://cloud.example.com',
  version: '2025-03-12',
  fetch: stub.fetch,
  clock,
})

assert.equal(await clock.settle(countOpen(client, '64b7e1c20f3a5d6e7f809101')), 0)
assert.equal(stub.requests.length, 2, 'the first request returned 503')
console.log('requests:', stub.requests.length)
