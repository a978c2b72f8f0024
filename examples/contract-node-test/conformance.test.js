// Every check of the conformance kit is a test of Node's own runner. It is red where a promise is broken, and where
// the check could not be made; what it says then has the requirement, what was expected, and a curl line.
import { after, test } from 'node:test'
import { demoTarget, openKit } from '@svc-admin/contract'

const baseUrl = process.env.SVC_BASE_URL ?? 'http://127.0.0.1:8080'
const control = process.env.SVC_CONTROL_URL ?? 'http://127.0.0.1:8081'

const kit = await openKit({
  target: demoTarget({ baseUrl, control }),
  // Without a selection, everything: some thirty thousand tests.
  selection: { areas: ['Custom DNS'] },
})

for (const { id, run } of kit.cases()) test(id, run)
after(() => kit.finish())
