// The implementation under test is described in contract.target.json; its secrets come from the environment.
import { loadTarget, openKit } from '@svc-admin/contract'
import { afterAll, describe, test } from 'vitest'

const kit = await openKit({
  target: loadTarget(new URL('contract.target.json', import.meta.url)),
  // One check of each requirement for each operation of the area.
  selection: { areas: ['Alert Configurations'], smoke: true },
})

afterAll(async () => {
  await kit.finish()
})

describe('the contract of alert configurations', () => {
  for (const { id, run } of kit.cases()) test(id, run)
})
