import { eventTypes } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import type { Arbitrary, Generate } from '../document/arbitrary.ts'
import { storableText } from '../document/arbitrary.ts'
import { isObject, type Json, type JsonObject, listAt, objectAt, stringAt } from '../document/json.ts'
import { alertConfigBody } from '../given/given.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Cell } from '../model/api.ts'
import type { CallChanges } from '../model/call.ts'
import { bodyOf, expectSuccess } from '../model/expect.ts'
import { Untestable } from '../model/signals.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { knownOf } from './known-values.ts'

export interface Stored {
  readonly exchange: Exchange
  readonly config: Json
  readonly id: string
}

export const storedFrom = (exchange: Exchange): Stored => {
  expectSuccess(exchange)
  const config = bodyOf(exchange)
  return { exchange, config, id: stringAt(config, 'id') ?? '' }
}

/** Creates a configuration in the version under test. */
export const store = async (trial: Trial, changes: CallChanges = {}): Promise<Stored> => {
  if (trial.context.target.readOnly)
    throw new Untestable('permission to create resources (the run is read-only)')
  return storedFrom(await trial.send(await trial.callOf('createAlertConfig', changes)))
}

/** Returns the body of a configuration in which no field has its default value. */
export const fullConfigBody = (context: RunContext, enabled: boolean): JsonObject => {
  const [notification = {}] = listAt(alertConfigBody(context, enabled), 'notifications')
  return {
    ...objectAt({ body: alertConfigBody(context, enabled) }, 'body'),
    matchers: [{ fieldName: 'CLUSTER_NAME', operator: 'STARTS_WITH', value: 'contract' }],
    severityOverride: 'INFO',
    notifications: [notification, { typeName: 'GROUP', emailEnabled: true, delayMin: 5, intervalMin: 60 }],
  }
}

/**
 * Generates configurations with arbitrary strings and numbers, which targets must store unchanged. The notification
 * address contains the run's tag.
 */
export const anyConfigBody = (generate: Generate, context: RunContext): Arbitrary<JsonObject> => {
  const body = objectAt({ body: alertConfigBody(context, false) }, 'body')
  const text = storableText(generate, 30)
  const minutes = generate.nat()
  const channel = { typeName: generate.constant('SLACK'), delayMin: minutes, intervalMin: minutes }
  const matched = { fieldName: generate.constant('CLUSTER_NAME'), operator: generate.constant('EQUALS') }
  return generate
    .record({
      matchers: generate.array(generate.record({ ...matched, value: text }), { maxLength: 3 }),
      notifications: generate.array(generate.record({ ...channel, channelName: text }), { maxLength: 3 }),
    })
    .map(({ matchers, notifications }) => ({
      ...body,
      matchers,
      notifications: [...listAt(body, 'notifications'), ...notifications],
    }))
}

/** Returns a configuration's documented fields, without its links and the given fields. */
export const knownOfConfig = (trial: Trial, config: Json, ...but: readonly string[]): JsonObject =>
  knownOf(trial, 'getAlertConfig', config, 'links', ...but)

export const read = async (trial: Trial, alertConfigId: string): Promise<Stored> =>
  storedFrom(await trial.send(await trial.callOf('getAlertConfig', { parameters: { alertConfigId } })))

/** Documented event types, one from each family. */
export const eventTypeOfEachFamily = Object.values(eventTypes.families).flatMap(({ values }) =>
  values.slice(0, 1),
)

/** Returns the documented example of each kind of notification. */
export const notificationKinds = ({ version: { document } }: Cell): Json[] => {
  const union = document.follow('/components/schemas/Notification')
  return listAt(union.value, 'anyOf').flatMap((_, index) => {
    const { value } = document.follow(`${union.pointer}/anyOf/${index}`)
    const example = listAt(value, 'examples')[0]
    const known = objectAt(objectAt(value, 'properties'), 'typeName').const !== undefined
    return known && isObject(example) ? [example] : []
  })
}

/** Webhook URLs with these schemes are invalid. */
export const unusableSchemes = ['ftp', 'file', 'javascript'] as const

/** Returns the body of a disabled configuration with a webhook. The webhook's URL has the given scheme. */
export const configWithWebhook = (context: RunContext, scheme: string): JsonObject => {
  const body = objectAt({ body: alertConfigBody(context, false) }, 'body')
  const webhook = { typeName: 'WEBHOOK', webhookUrl: `${scheme}://contract.example/hook` }
  return { ...body, notifications: [...listAt(body, 'notifications'), webhook] }
}
