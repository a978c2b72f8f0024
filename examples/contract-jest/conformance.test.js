// Every check of the conformance kit is a test of Jest. The kit is an ES module, for which Jest wants Node to be
// started with --experimental-vm-modules.
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
