import { always, forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { type JsonObject, stringAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectThat } from '../../model/expect.ts'
import { knownOfRole, readRole, roleIdOf } from '../../resources/access-roles.ts'
import { expectSameAsEarlier } from '../../resources/earlier-response.ts'
import { valuesOf } from '../../resources/known-values.ts'
import { sendRequest } from '../../resources/own-resources.ts'
import { someProject } from '../../resources/provided-resources.ts'
import {
  expectField,
  expectFields,
  expectText,
  refused,
  successfulResponse,
} from '../../resources/successful-response.ts'

const create = async (trial: Trial, body: JsonObject): Promise<Exchange> =>
  sendRequest(trial, await someProject(trial), { body })

const created = async (trial: Trial, providerName = 'AWS') =>
  successfulResponse(await create(trial, { providerName }))

export default rules({
  'createCloudProviderAccessRole.answers-with-role': always(async (trial) => {
    const place = await someProject(trial)
    const newRole = successfulResponse(await sendRequest(trial, place, { body: { providerName: 'AWS' } }))
    expectField(newRole, 'providerName', 'AWS')
    expectFields(newRole, 'roleId', 'createdDate')
    const again = await readRole(trial, place, roleIdOf(newRole.body))
    expectSameAsEarlier(again.exchange, knownOfRole(trial, again.body), {
      operation: 'createCloudProviderAccessRole',
      value: knownOfRole(trial, newRole.body),
    })
  }),

  'createCloudProviderAccessRole.provider-required': always(async (trial) =>
    refused(await create(trial, {}), 'the body has no providerName'),
  ),

  'createCloudProviderAccessRole.providers': [
    forEach(
      (cell) => valuesOf(cell, 'CloudProvider'),
      (provider) => provider,
      async (trial, provider) => expectField(await created(trial, provider), 'providerName', provider),
    ),
    forEach(
      () => ['ALIBABA', 'aws', ''],
      (provider) => `invalid ${JSON.stringify(provider)}`,
      async (trial, providerName) =>
        refused(await create(trial, { providerName }), 'it is not a supported provider'),
    ),
  ],

  'createCloudProviderAccessRole.not-authorized': always(async (trial) => {
    const newRole = await created(trial)
    expectField(newRole, 'authorizedDate', undefined)
    expectField(newRole, 'iamAssumedRoleArn', undefined)
  }),

  'createCloudProviderAccessRole.whom-to-trust': always(async (trial) => {
    const newRole = await created(trial)
    expectText(newRole, 'svcAWSAccountArn')
    expectText(newRole, 'svcAssumedRoleExternalId')
  }),

  'createCloudProviderAccessRole.external-id-its-own': always(async (trial) => {
    const place = await someProject(trial)
    const seen = new Set<string | undefined>()
    for (let count = 1; count <= 3; count += 1) {
      const { exchange, body } = successfulResponse(
        await sendRequest(trial, place, { body: { providerName: 'AWS' } }),
      )
      const externalId = stringAt(body, 'svcAssumedRoleExternalId')
      expectThat(externalId !== undefined && !seen.has(externalId), {
        expected: 'a different external ID',
        actual: externalId,
        exchange,
      })
      seen.add(externalId)
    }
  }),

  'createCloudProviderAccessRole.no-usage-yet': always(async (trial) =>
    expectField(await created(trial), 'featureUsages', []),
  ),

  'createCloudProviderAccessRole.gcp-needs-no-authorization': always(async (trial) =>
    expectText(await created(trial, 'GCP'), 'authorizedDate'),
  ),
})
