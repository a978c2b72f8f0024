// Runs every check of the conformance kit as a test of Node's test runner. A test fails if a requirement is violated or
// the check could not run. Its message contains the requirement, the expected behavior and a curl command.
import { after, test } from 'node:test'
import { demoTarget, openKit } from '@svc-admin/contract'

const baseUrl = process.env.SVC_BASE_URL ?? 'http://127.0.0.1:8080'
const control = process.env.SVC_CONTROL_URL ?? 'http://127.0.0.1:8081'

const kit = await openKit({
  target: demoTarget({ baseUrl, control }),
  // Without a selection, all checks run: about 30,000 tests.
  selection: { areas: ['Custom DNS'] },
})

for (const { id, run } of kit.cases()) test(id, run)
after(() => kit.finish())
