// The implementation under test is described in contract.target.json; its secrets come from the environment.
import { loadTarget, openKit } from '@svc-admin/contract'
import { afterAll, describe, test } from 'vitest'

const kit = await openKit({
  target: loadTarget(new URL('contract.target.json', import.meta.url)),
  // One check of each requirement in the area, over in seconds; `brief: true` makes one on each operation.
  selection: { areas: ['Alert Configurations'], smoke: true },
})

afterAll(async () => {
  await kit.finish()
})

describe('the contract of alert configurations', () => {
  for (const { id, run } of kit.cases()) test(id, run)
})
