// contract.target.json describes the implementation under test. Its secrets come from environment variables.
import { loadTarget, openKit } from '@svc-admin/contract'
import { afterAll, describe, test } from 'vitest'

const kit = await openKit({
  target: loadTarget(new URL('contract.target.json', import.meta.url)),
  // Runs one check for each requirement in the area, which takes a few seconds. Use `brief: true` for one check per
  // operation.
  selection: { areas: ['Alert Configurations'], smoke: true },
})

afterAll(async () => {
  await kit.finish()
})

describe('the contract of alert configurations', () => {
  for (const { id, run } of kit.cases()) test(id, run)
})
