import { expect, test } from 'vitest'
import { contextOver, dated } from '../../../test/context-over.ts'
import { createTrial } from '../../check/trial.ts'
import { isObject, parseJson } from '../../document/json.ts'
import { createRandom } from '../../model/random.ts'
import type { RequirementId } from '../../model/requirement.ts'
import { Violation } from '../../model/signals.ts'
import changes from './changes.ts'
import optionalFields from './optional-fields.ts'

/**
 * Returns the breach that a requirement's first check finds on a target where reads never show
 * changed auditing settings.
 */
const breachOf = async (requirement: RequirementId) => {
  const stored = { enabled: false, auditFilter: '{}', auditAuthorizationSuccess: false }
  let current: object = stored
  const { context } = contextOver(({ method, body }) => {
    if (method === 'GET') return [200, stored]
    const sent = parseJson(body ?? '')
    current = { ...current, ...(isObject(sent) ? sent : {}) }
    return [200, current]
  })
  const cell = dated('updateAuditingConfig')
  const trial = createTrial({ context, cell, random: createRandom(1, 'x'), inputs: 1, record: [] })
  const rule = [{ ...changes, ...optionalFields }[requirement] ?? []].flat()[0]
  const error = await rule
    ?.variants(cell)[0]
    ?.check(trial)
    .catch((thrown: unknown) => thrown)
  return error instanceof Violation ? error.breach : expect.fail(String(error))
}

test('a change that is not shown has a headline with the field, the sent value and the read value', async () => {
  const { headline, difference } = await breachOf('resources.change-shows')
  expect(headline).toBe('`enabled` (and auditFilter): sent true, getAuditingConfig false')
  expect(difference).toBe('another value of enabled')
})

test('an optional field that is not stored has a headline with the field and its values', async () => {
  const { headline } = await breachOf('bodies.optional-fields-apart')
  expect(headline).toMatch(/^`\w+`: sent .+, getAuditingConfig .+$/)
})
