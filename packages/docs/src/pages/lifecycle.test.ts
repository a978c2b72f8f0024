import { expect, test } from 'vitest'
import { textOf } from '../testing/inputs.ts'

test('names the field with the state, or all fields that the state follows from', () => {
  expect(textOf('lifecycles/alert.md')).toMatch(/^- Field: \[`Alert\.status`\]/m)
  const restoreJob = textOf('lifecycles/restore-job.md')
  for (const name of ['finishedAt', 'cancelled', 'failed', 'expired'])
    expect(restoreJob).toMatch(new RegExp(`^- Follows from: .*\\[\`RestoreJob\\.${name}\`\\]`, 'm'))
})
