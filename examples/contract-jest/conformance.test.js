// Runs every check of the conformance kit as a Jest test. The kit is an ES module, so Jest requires Node's
// option --experimental-vm-modules.
import { afterAll, test } from '@jest/globals'
import { demoTarget, openKit } from '@svc-admin/contract'

const baseUrl = process.env.SVC_BASE_URL ?? 'http://127.0.0.1:8080'
const control = process.env.SVC_CONTROL_URL ?? 'http://127.0.0.1:8081'

const kit = await openKit({
  target: demoTarget({ baseUrl, control }),
  selection: { areas: ['Custom DNS'], smoke: true },
})

for (const { id, run } of kit.cases()) test(id, run)
afterAll(() => kit.finish())
