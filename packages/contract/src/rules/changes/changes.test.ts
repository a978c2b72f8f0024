import { expect, test } from 'vitest'
import { contextOver, dated, target, trialIn } from '../../../test/context-over.ts'
import { isObject, type Json, parseJson } from '../../document/json.ts'
import type { RequirementId } from '../../model/requirement.ts'
import { Violation } from '../../model/signals.ts'
import { createPrerequisites } from '../../run-context/prerequisites.ts'
import { publicDemo } from '../../target/own-demo.ts'
import changesRules from './changes.ts'
import optionalFields from './optional-fields.ts'

test('a second change that is not shown is found', async () => {
  let stored: Json = {}
  let changes = 0
  const { context } = contextOver(({ method, body }) => {
    const sent = parseJson(body ?? '') ?? {}
    if (method === 'GET') return [200, stored]
    changes += 1
    if (changes < 2) stored = sent
    return [200, sent]
  })
  const cell = dated('updateAuditingConfig')
  const rule = [changesRules['resources.change-shows'] ?? []].flat()[1]
  const check = rule?.variants(cell)[0]?.check(trialIn(context, cell))
  await expect(check).rejects.toMatchObject({
    breach: {
      headline: expect.stringMatching(/^`\w+` is \w+ in getAuditingConfig, but the request sent \w+/),
    },
  })
})

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
  const trial = trialIn(context, cell)
  const rule = [{ ...changesRules, ...optionalFields }[requirement] ?? []].flat()[0]
  const error = await rule
    ?.variants(cell)[0]
    ?.check(trial)
    .catch((thrown: unknown) => thrown)
  return error instanceof Violation ? error.breach : expect.fail(String(error))
}

test('a change that is not shown has a headline with the field, the sent value and the read value', async () => {
  const { headline, difference } = await breachOf('resources.change-shows')
  expect(headline).toBe(
    '`enabled` is false in getAuditingConfig, but the request sent true (also wrong: auditFilter)',
  )
  expect(difference).toBe('another value of enabled')
})

test('a change of an array that is not shown has a headline with both operations', async () => {
  const { context } = contextOver(({ method, body }) => [200, method === 'GET' ? [] : parseJson(body ?? '')])
  const cell = dated('updateSearchAnalyzers')
  const trial = trialIn(context, cell)
  const [rule] = [changesRules['resources.change-shows'] ?? []].flat()
  const check = rule?.variants(cell)[0]?.check(trial)
  await expect(check).rejects.toMatchObject({
    breach: {
      headline:
        "listSearchAnalyzers doesn't return the same items as the earlier response to updateSearchAnalyzers",
      expected: 'only the items of the earlier response to updateSearchAnalyzers in listSearchAnalyzers',
      actual: expect.stringMatching(/^without \[\{/),
    },
  })
})

test('an optional field that is not stored has a headline with the field and its values', async () => {
  const { headline } = await breachOf('bodies.optional-fields-apart')
  expect(headline).toMatch(/^`\w+` is .+ in getAuditingConfig, but the request sent .+$/)
})

test('a flag that gets the value of another flag is found', async () => {
  let current: object = {}
  const { context } = contextOver(
    ({ method, body }) => {
      const sent = parseJson(body ?? '')
      if (method === 'PUT' && isObject(sent)) {
        const { encryptionAtRestEnabled = false, pitEnabled = false, ...rest } = sent
        const isCopied = sent.pitEnabled !== undefined && sent.encryptionAtRestEnabled !== undefined
        const pit = isCopied ? encryptionAtRestEnabled : pitEnabled
        current = { copyProtectionEnabled: false, ...rest, encryptionAtRestEnabled, pitEnabled: pit }
      }
      return [200, current]
    },
    {
      demo: publicDemo(),
      prerequisites: { ...createPrerequisites(target), canSeed: true, seed: async () => {} },
    },
  )
  const cell = dated('updateCompliancePolicy')
  const trial = trialIn(context, cell)
  const rule = [optionalFields['bodies.optional-fields-apart'] ?? []].flat()[0]
  const error = await rule
    ?.variants(cell)
    .find(({ label }) => label === '')
    ?.check(trial)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Violation)
  expect(error instanceof Violation && error.breach.headline).toMatch(
    /^`pitEnabled` is \w+ in .+, but the request sent \w+$/,
  )
})
