import { withGenerated } from '../../check/generated.ts'
import { always, forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { type Json, listAt, objectAt, stringAt } from '../../document/json.ts'
import { alertConfigBody } from '../../given/given.ts'
import type { Exchange } from '../../http/exchange.ts'
import {
  bodyOf,
  describeResponse,
  expectError,
  expectRefusal,
  expectSuccess,
  expectThat,
  isSuccess,
} from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import {
  anyConfigBody,
  configWithWebhook,
  eventTypeOfEachFamily,
  knownOfConfig,
  notificationKinds,
  read,
  store,
  storedFrom,
  unusableSchemes,
} from '../../resources/alert-configs.ts'
import { expectSameAsEarlier } from '../../resources/earlier-response.ts'
import { allItems, idOf } from '../../resources/lists.ts'
import {
  accepted,
  expectContains,
  expectDefault,
  expectField,
  expectFields,
} from '../../resources/successful-response.ts'
import { addressOfRun } from '../../run-context/marks.ts'

const changed = (trial: Trial, fields: Readonly<Record<string, Json>>): Json => ({
  ...objectAt({ body: alertConfigBody(trial.context, false) }, 'body'),
  ...fields,
})

/** Adds the notification that identifies this run's configurations. */
const marked = (trial: Trial, notification: Json): readonly Json[] => [
  notification,
  ...listAt(alertConfigBody(trial.context, false), 'notifications'),
]

const storeSecret = async (trial: Trial) => {
  const secret = `secret-${trial.random.hex(16)}`
  const webhook = {
    typeName: 'WEBHOOK',
    webhookUrl: 'https://contract.example/hook',
    webhookSecret: secret,
  }
  const notifications = marked(trial, webhook)
  return { secret, ...(await store(trial, { body: changed(trial, { notifications }) })) }
}

const expectHidden = (exchange: Exchange, shown: string, secret: string): void =>
  expectThat(!shown.includes(secret), { expected: 'no secret', actual: 'the webhookSecret', exchange })

const severities = ({ cell }: Trial): string[] =>
  listAt(cell.version.document.follow('/components/schemas/EventSeverity').value, 'enum').map(String)

export default rules({
  'createAlertConfig.stored': [
    always(async (trial) => {
      const { groupId } = (await trial.good()).parameters
      const sent = changed(trial, {
        severityOverride: 'WARNING',
        matchers: [{ fieldName: 'CLUSTER_NAME', operator: 'EQUALS', value: 'a' }],
      })
      const { config, exchange, id } = await store(trial, { body: sent })
      expectContains(exchange, config, sent)
      const again = await read(trial, id)
      expectSameAsEarlier(again.exchange, knownOfConfig(trial, again.config), {
        operation: 'createAlertConfig',
        value: knownOfConfig(trial, config),
      })
      expectFields({ exchange, body: config }, 'id', 'groupId', 'created', 'updated')
      expectField({ exchange, body: config }, 'groupId', groupId)
    }),
    /**
     * Other callers can create configurations during the check, so the check ignores configurations without this run's
     * notification.
     */
    always(
      async (trial) => {
        const value = `contract-${trial.random.hex(16)}`
        const matchers = [{ fieldName: 'CLUSTER_NAME', operator: 'EQUALS', value }]
        const { id } = await store(trial, { body: changed(trial, { matchers }) })
        const list = await trial.send(await trial.callOf('listAlertConfigs'))
        if (!isSuccess(list)) throw new Untestable(`a list of the configurations (${describeResponse(list)})`)
        const { items, exchange } = await allItems(trial, 'listAlertConfigs')
        const same = items.filter((item) => JSON.stringify(item).includes(value)).map(idOf)
        // A separate requirement checks that the list includes the configuration.
        expectThat(
          same.every((one) => one === id),
          {
            expected: `only one configuration from this request, ${id}`,
            actual: same.join(', '),
            exchange,
            strength: 'decided',
          },
        )
      },
      { label: 'once' },
    ),
    withGenerated(
      (generate, { context }) => anyConfigBody(generate, context),
      async (trial, body) => {
        const { exchange } = accepted(await trial.try({ body }), 'the values of a configuration')
        const { id, config } = storedFrom(exchange)
        expectContains(exchange, config, body)
        const again = await read(trial, id)
        expectContains(again.exchange, again.config, body)
      },
    ),
  ],

  'createAlertConfig.enabled-default': always(async (trial) => {
    const { enabled: _, ...rest } = objectAt({ body: alertConfigBody(trial.context) }, 'body')
    const { id } = await store(trial, { body: rest })
    const { config, exchange } = await read(trial, id)
    expectDefault({ exchange, body: config }, 'enabled', false)
  }),

  'createAlertConfig.event-type-open': forEach(
    () => [...eventTypeOfEachFamily, 'SOMETHING_NEW'],
    (name) => name,
    async (trial, eventTypeName) => {
      accepted(
        await trial.try({ body: changed(trial, { eventTypeName }) }),
        `the event type ${eventTypeName}`,
      )
    },
  ),

  'createAlertConfig.notification-kinds': always(async (trial) => {
    for (const notification of notificationKinds(trial.cell)) {
      const exchange = await trial.try({
        body: changed(trial, { notifications: marked(trial, notification) }),
      })
      accepted(exchange, `a notification of the kind ${stringAt(notification, 'typeName')}`)
      const [stored] = listAt(bodyOf(exchange), 'notifications')
      const [expected, actual] = [stringAt(notification, 'typeName'), stringAt(stored, 'typeName')]
      expectThat(actual === expected, { expected: `typeName ${expected}`, actual, exchange })
    }
  }),

  'createAlertConfig.notification-open': always(async (trial) => {
    const unusual = { somethingElse: 1, delayMin: -1, notifierId: 'mine' }
    const emailAddress = addressOfRun(trial.context.runTag)
    const notifications = [{ typeName: 'EMAIL', emailAddress, ...unusual }]
    accepted(
      await trial.try({ body: changed(trial, { notifications }) }),
      'an undocumented field in a notification',
    )
  }),

  'createAlertConfig.webhook-url-scheme': forEach(
    () => unusableSchemes,
    (scheme) => scheme,
    async (trial, scheme) => {
      const exchange = await trial.try({ body: configWithWebhook(trial.context, scheme) })
      expectError(exchange, 'VALIDATION_ERROR', `a webhook can't use the scheme ${scheme}`)
    },
  ),

  'createAlertConfig.matcher-field-names': always(async (trial) => {
    const names = bodyOf(await trial.send(await trial.callOf('listMatcherFieldNames')))
    for (const fieldName of Array.isArray(names) ? names : []) {
      const matchers = [{ fieldName, operator: 'EQUALS', value: 'a' }]
      const exchange = await trial.try({ body: changed(trial, { matchers }) })
      expectSuccess(exchange, `a success for the field name ${fieldName}`)
    }
  }),

  'createAlertConfig.matcher-open': always(async (trial) => {
    const matchers = [{ fieldName: 'CLUSTER_NAME', operator: 'EQUALS', value: 'a', somethingElse: 1 }]
    accepted(await trial.try({ body: changed(trial, { matchers }) }), 'an undocumented field in a matcher')
  }),

  'createAlertConfig.severities': [
    always(async (trial) => {
      for (const severityOverride of severities(trial)) {
        const exchange = await trial.try({ body: changed(trial, { severityOverride }) })
        expectSuccess(exchange, `a success for ${severityOverride}`)
        const actual = stringAt(bodyOf(exchange), 'severityOverride')
        expectThat(actual === severityOverride, { expected: severityOverride, actual, exchange })
      }
    }),
    forEach(
      () => ['CATASTROPHE', 'info', ''] as const,
      (severity) => `invalid ${JSON.stringify(severity)}`,
      async (trial, severityOverride) => {
        const exchange = await trial.try({ body: changed(trial, { severityOverride }) })
        expectRefusal(exchange, 'VALIDATION_ERROR', 'it is not a supported severity')
      },
    ),
  ],

  'createAlertConfig.secrets-not-returned': [
    always(async (trial) => {
      const { secret, id, exchange } = await storeSecret(trial)
      const again = await read(trial, id)
      for (const one of [exchange, again.exchange]) expectHidden(one, one.response.body, secret)
    }),
    always(
      async (trial) => {
        const { secret } = await storeSecret(trial)
        const list = await trial.send(await trial.callOf('listAlertConfigs'))
        if (!isSuccess(list)) throw new Untestable(`a list of the configurations (${describeResponse(list)})`)
        const { items, exchange } = await allItems(trial, 'listAlertConfigs')
        expectHidden(exchange, JSON.stringify(items), secret)
      },
      { label: 'in the list' },
    ),
  ],
})
