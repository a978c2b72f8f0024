import { always, forEach, rules } from '../../engine/rule.ts'
import type { Trial } from '../../engine/trial.ts'
import { prepared } from '../../given/backups.ts'
import { ownProject, type ResourcePath, seedAt, sendRequest } from '../../given/own-resources.ts'
import { projectOfSetting } from '../../given/provided-resources.ts'
import { expectField, fieldOf, refused, successfulResponse } from '../../given/successful-response.ts'

/** A project whose custom DNS is on or off: put in place, or else set in the one that is lent. */
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
  /** Whether custom DNS is on in a project is returned. */
  'getCustomDns.answers-with-custom-dns': forEach(
    () => [true, false],
    String,
    async (trial, enabled) => {
      const place = await withCustomDns(trial, enabled)
      expectField(successfulResponse(await sendRequest(trial, place)), 'enabled', enabled)
    },
    { phase: 'alone' },
  ),

  /** Custom DNS is off in a project that never turned it on. */
  'getCustomDns.off-at-first': always(
    async (trial) =>
      expectField(
        successfulResponse(await sendRequest(trial, await ownProject(trial.context))),
        'enabled',
        false,
      ),
    { phase: 'write' },
  ),

  /** The flag that is sent is answered, and is returned the same afterwards. */
  'updateCustomDns.stored': always(async (trial) => {
    const place = await projectOfSetting(trial, 'getCustomDns')
    // Each is set twice: to set what is so already is not to turn it over.
    for (const enabled of [true, true, false, false, true]) {
      expectField(
        successfulResponse(await sendRequest(trial, place, { body: { enabled } })),
        'enabled',
        enabled,
      )
      expectField(successfulResponse(await sendRequest(trial, place, {}, 'getCustomDns')), 'enabled', enabled)
    }
  }),

  /** A body without enabled is refused. */
  'updateCustomDns.enabled-required': always(async (trial) => {
    const place = await projectOfSetting(trial, 'getCustomDns')
    const before = successfulResponse(await sendRequest(trial, place, {}, 'getCustomDns'))
    refused(await sendRequest(trial, place, { body: {} }), 'the body has no enabled')
    const after = successfulResponse(await sendRequest(trial, place, {}, 'getCustomDns'))
    expectField(after, 'enabled', fieldOf(before.body, 'enabled'))
  }),
})
