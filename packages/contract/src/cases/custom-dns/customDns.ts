import { always, forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { prepared } from '../../resources/backups.ts'
import { ownProject, type ResourcePath, seedAt, sendRequest } from '../../resources/own-resources.ts'
import { projectOfSetting } from '../../resources/provided-resources.ts'
import { expectField, fieldOf, refused, successfulResponse } from '../../resources/successful-response.ts'

/**
 * Returns a project with custom DNS turned on or off. If the run can't seed a new project,
 * this is the provided project.
 */
const withCustomDns = async (trial: Trial, enabled: boolean): Promise<ResourcePath> => {
  const { context } = trial
  if (!context.prerequisites.canSeed) {
    const place = await projectOfSetting(trial, 'getCustomDns')
    prepared(await sendRequest(trial, place, { body: { enabled } }, 'updateCustomDns'), 'custom DNS')
    return place
  }
  const place = await ownProject(context)
  await seedAt(context, 'customDns', place, '/awsCustomDNS', { enabled })
  return place
}

export default rules({
  'getCustomDns.answers-with-custom-dns': forEach(
    () => [true, false],
    String,
    async (trial, enabled) => {
      const place = await withCustomDns(trial, enabled)
      expectField(successfulResponse(await sendRequest(trial, place)), 'enabled', enabled)
    },
    { phase: 'alone' },
  ),

  'getCustomDns.off-at-first': always(
    async (trial) =>
      expectField(
        successfulResponse(await sendRequest(trial, await ownProject(trial.context))),
        'enabled',
        false,
      ),
    { phase: 'write' },
  ),

  'updateCustomDns.stored': always(async (trial) => {
    const place = await projectOfSetting(trial, 'getCustomDns')
    // Each value is sent twice, because sending the current value again must not toggle the setting.
    for (const enabled of [true, true, false, false, true]) {
      expectField(
        successfulResponse(await sendRequest(trial, place, { body: { enabled } })),
        'enabled',
        enabled,
      )
      expectField(successfulResponse(await sendRequest(trial, place, {}, 'getCustomDns')), 'enabled', enabled)
    }
  }),

  'updateCustomDns.enabled-required': always(async (trial) => {
    const place = await projectOfSetting(trial, 'getCustomDns')
    const before = successfulResponse(await sendRequest(trial, place, {}, 'getCustomDns'))
    refused(await sendRequest(trial, place, { body: {} }), 'the body has no enabled')
    const after = successfulResponse(await sendRequest(trial, place, {}, 'getCustomDns'))
    expectField(after, 'enabled', fieldOf(before.body, 'enabled'))
  }),
})
