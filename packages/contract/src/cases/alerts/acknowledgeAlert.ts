import { limits } from '@svc-admin/types'
import { withGenerated } from '../../check/generated.ts'
import { type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { storableText } from '../../document/arbitrary.ts'
import { inspect, isObject, type Json, stringAt } from '../../document/json.ts'
import type { Authorization } from '../../http/authorization.ts'
import { bodyOf, expectRefusal, expectSuccess, expectThat, isSuccess } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import {
  acknowledgedFor,
  century,
  expectAcknowledged,
  hasFlag,
  hour,
  labeled,
  onAlert,
  unacknowledge,
} from '../../resources/acknowledgements.ts'
import { type AlertResponse, acknowledge, inSeconds, readAlert, withAlert } from '../../resources/alerts.ts'
import { knownOf } from '../../resources/known-values.ts'
import {
  expectField,
  expectSame,
  expectText,
  expectTimestamp,
  fieldOf,
  type SuccessfulResponse,
  successfulResponse,
} from '../../resources/successful-response.ts'
import {
  allowedHolder,
  anyAuthorizationOf,
  authorizationOf,
  holderOf,
  isAllowed,
  rolesFor,
} from '../../run-context/holders.ts'
import { roleIds } from '../../target/role-ids.ts'
import type { Holder } from '../../target/target.ts'

const fields = ['acknowledgedUntil', 'acknowledgementComment', 'acknowledgingUsername'] as const

/**
 * The specification says when `acknowledgedUntil` is present. Applying the same rule to the other acknowledgement
 * fields is our decision.
 */
const expectNotAcknowledged = ({ alert, exchange }: AlertResponse): void => {
  const left = fields.filter((name) => isObject(alert) && name in alert)
  const strength = left.includes('acknowledgedUntil') ? 'stated' : 'decided'
  expectThat(left.length === 0, {
    expected: 'no acknowledgement',
    actual: left.join(', '),
    exchange,
    strength,
  })
}

/** Expects the email address of the user who acknowledged the alert. */
const expectUsername = ({ alert, exchange }: AlertResponse): void => {
  const username = fieldOf(alert, 'acknowledgingUsername')
  expectThat(typeof username === 'string' && /^[^@]+@[^@]+$/.test(username), {
    expected: 'acknowledgingUsername, the email address of the user who acknowledged the alert',
    actual: inspect(username),
    exchange,
  })
}

const keepsComment = async (
  trial: Trial,
  alertId: string,
  acknowledgementComment: string,
  as?: Authorization,
): Promise<void> => {
  const acknowledgedUntil = await inSeconds(trial, hour)
  const body = { acknowledgedUntil, acknowledgementComment }
  for (const seen of [await acknowledge(trial, alertId, body, as), await readAlert(trial, alertId)]) {
    const { exchange, alert } = seen
    expectAcknowledged(seen, acknowledgedUntil)
    expectField({ exchange, body: alert }, 'acknowledgementComment', acknowledgementComment)
    expectUsername(seen)
  }
}

const removesAcknowledgement = (body: (trial: Trial) => Promise<Json>): Rule =>
  onAlert(async (trial, alertId) => {
    await acknowledgedFor(trial, alertId, hour)
    expectNotAcknowledged(await acknowledge(trial, alertId, await body(trial)))
    expectNotAcknowledged(await readAlert(trial, alertId))
  })

const keepsAcknowledgement = async (trial: Trial, alertId: string, body: Json): Promise<void> => {
  const until = await acknowledgedFor(trial, alertId, hour)
  const comment = stringAt(body, 'acknowledgementComment')
  for (const seen of [await acknowledge(trial, alertId, body), await readAlert(trial, alertId)]) {
    expectAcknowledged(seen, until)
    const { exchange, alert } = seen
    expectField({ exchange, body: alert }, 'acknowledgementComment', comment ?? 'Seen', 'decided')
    expectText({ exchange, body: alert }, 'acknowledgingUsername')
  }
}

/** Acknowledges the alert as the given caller, and returns the response. */
const userOf = async (
  trial: Trial,
  alertId: string,
  holder: Holder,
  acknowledgedUntil: string,
): Promise<SuccessfulResponse> => {
  const as = anyAuthorizationOf(holder, 'another caller')
  const body = { acknowledgedUntil }
  return successfulResponse(await trial.try({ parameters: { alertId }, body, as }))
}

/** If another caller acknowledges an alert again with a different time, the alert shows the new caller and time. */
const namesLastCaller = onAlert(async (trial, alertId) => {
  const { target } = trial.context
  const [one, other] = roleIds.flatMap((role) =>
    isAllowed(role, trial.cell) ? (holderOf(target, role) ?? []) : [],
  )
  if (one === undefined || other === undefined) throw new Untestable('credentials of a second caller')
  const [soon, later] = [await inSeconds(trial, hour), await inSeconds(trial, 2 * hour)]
  const alone = await userOf(trial, alertId, one, soon)
  await unacknowledge(trial, alertId)
  await userOf(trial, alertId, other, soon)
  const last = await userOf(trial, alertId, one, later)
  const { exchange, alert } = await readAlert(trial, alertId)
  for (const seen of [last, { exchange, body: alert }]) {
    expectTimestamp(seen, 'acknowledgedUntil', later)
    expectField(seen, 'acknowledgingUsername', stringAt(alone.body, 'acknowledgingUsername'))
  }
})

const callers = [
  ['digest', 'an API key'],
  ['bearer', 'a service account'],
] as const

/**
 * Sends the flag in a version that doesn't have it, after acknowledging the alert. The server may reject or ignore the
 * flag. Returns the responses that show the alert, or nothing if the server rejects the flag.
 */
const withLaterFlag = async (trial: Trial, alertId: string, body: Json): Promise<AlertResponse[]> => {
  await acknowledgedFor(trial, alertId, hour)
  const exchange = await trial.try({ parameters: { alertId }, body })
  if (!isSuccess(exchange)) return []
  return [{ exchange, alert: bodyOf(exchange), status: '' }, await readAlert(trial, alertId)]
}

const ignoresLaterFlag: Rule = {
  ...onAlert(async (trial, alertId) => {
    const acknowledgedUntil = await inSeconds(trial, 2 * hour)
    const body = { unacknowledgeAlert: true, acknowledgedUntil }
    for (const seen of await withLaterFlag(trial, alertId, body)) expectAcknowledged(seen, acknowledgedUntil)
  }),
  at: (cell) => !hasFlag(cell) || 'the version has the field unacknowledgeAlert',
}

const ignoresLaterFlagFalse = onAlert(async (trial, alertId) => {
  const seen = await withLaterFlag(trial, alertId, { unacknowledgeAlert: false })
  seen.forEach(expectNotAcknowledged)
})

const others = (trial: Trial, { alert }: AlertResponse): Json =>
  knownOf(trial, 'getAlert', alert, ...fields, 'updated', 'lastNotified', 'links')

export default rules({
  'acknowledgeAlert.acknowledges': [
    onAlert(async (trial, alertId) => {
      // Each acknowledgement replaces the comment of the one before.
      for (const comment of ['Looking at it', 'Almost fixed']) await keepsComment(trial, alertId, comment)
    }),
    withGenerated(
      (generate) => storableText(generate, limits.acknowledgementComment.maxLength),
      (trial, comment) => withAlert(trial, (alertId) => keepsComment(trial, alertId, comment)),
      { phase: 'alone' },
    ),
    labeled('by a second caller', namesLastCaller),
    ...callers.map(([scheme, called]) =>
      labeled(
        `by ${called}`,
        onAlert((trial, alertId) => {
          const holder = allowedHolder(trial.context.target, trial.cell)
          const as = authorizationOf(holder, scheme, `a holder of ${rolesFor(trial.cell)}`)
          return keepsComment(trial, alertId, 'Looking at it', as)
        }),
      ),
    ),
    labeled('with the flag of a later version', ignoresLaterFlag),
  ],

  'acknowledgeAlert.comment-at-most-200': onAlert(async (trial, alertId) => {
    const acknowledgedUntil = await inSeconds(trial, hour)
    const most = limits.acknowledgementComment.maxLength
    const withComment = (length: number) =>
      trial.try({
        parameters: { alertId },
        body: { acknowledgedUntil, acknowledgementComment: 'é'.repeat(length) },
      })
    expectSuccess(await withComment(most))
    expectRefusal(
      await withComment(most + 1),
      'VALIDATION_ERROR',
      'the comment is one character over the limit',
    )
  }),

  'acknowledgeAlert.for-ever': onAlert(async (trial, alertId) => {
    const until = await acknowledgedFor(trial, alertId, century)
    await trial.context.prerequisites.advanceClock(hour)
    expectAcknowledged(await readAlert(trial, alertId), until)
  }),

  'acknowledgeAlert.omitted-unacknowledges': [
    removesAcknowledgement(async () => ({})),
    labeled(
      'with a comment',
      removesAcknowledgement(async () => ({ acknowledgementComment: 'Fixed' })),
    ),
    labeled('with the flag of a later version', ignoresLaterFlagFalse),
  ],

  'acknowledgeAlert.omitted-unacknowledges-in-first-date': [
    removesAcknowledgement(async () => ({})),
    labeled(
      'with a comment',
      removesAcknowledgement(async () => ({ acknowledgementComment: 'Fixed' })),
    ),
    labeled('with the flag of a later version', ignoresLaterFlagFalse),
  ],

  'acknowledgeAlert.past-unacknowledges': removesAcknowledgement(async (trial) => ({
    acknowledgedUntil: await inSeconds(trial, -hour),
  })),

  'acknowledgeAlert.flag-unacknowledges': [
    removesAcknowledgement(async () => ({ unacknowledgeAlert: true })),
    {
      ...removesAcknowledgement(async (trial) => ({
        unacknowledgeAlert: true,
        acknowledgedUntil: await inSeconds(trial, hour),
      })),
      variants: () => [
        {
          label: 'with acknowledgedUntil',
          check: (trial) =>
            withAlert(trial, async (alertId) => {
              await acknowledgedFor(trial, alertId, hour)
              const body = { unacknowledgeAlert: true, acknowledgedUntil: await inSeconds(trial, hour) }
              expectNotAcknowledged(await acknowledge(trial, alertId, body))
            }),
        },
      ],
    },
    labeled(
      'false',
      onAlert(async (trial, alertId) => {
        // The second request extends the acknowledgement.
        for (const hours of [1, 2]) {
          const acknowledgedUntil = await inSeconds(trial, hours * hour)
          const body = { unacknowledgeAlert: false, acknowledgedUntil }
          expectAcknowledged(await acknowledge(trial, alertId, body), acknowledgedUntil)
          expectAcknowledged(await readAlert(trial, alertId), acknowledgedUntil)
        }
      }),
    ),
  ],

  'acknowledgeAlert.flag-unknown-before': onAlert(async (trial, alertId) => {
    const exchange = await trial.try({ parameters: { alertId }, body: { unacknowledgeAlert: true } })
    expectRefusal(exchange, 'VALIDATION_ERROR', 'this version has no field unacknowledgeAlert')
  }),

  'acknowledgeAlert.neither-changes-nothing': [
    onAlert((trial, alertId) => keepsAcknowledgement(trial, alertId, {})),
    labeled(
      'with a comment',
      onAlert((trial, alertId) => keepsAcknowledgement(trial, alertId, { acknowledgementComment: 'Still' })),
    ),
    labeled(
      'with unacknowledgeAlert false',
      onAlert((trial, alertId) => keepsAcknowledgement(trial, alertId, { unacknowledgeAlert: false })),
    ),
  ],

  'acknowledgeAlert.unacknowledged-fields-absent': onAlert(async (trial, alertId) => {
    expectNotAcknowledged(await readAlert(trial, alertId))
    await acknowledgedFor(trial, alertId, hour)
    expectNotAcknowledged(
      await acknowledge(trial, alertId, { acknowledgedUntil: await inSeconds(trial, -hour) }),
    )
  }),

  'acknowledgeAlert.keeps-status': onAlert(async (trial, alertId) => {
    const before = await readAlert(trial, alertId)
    const acknowledgedUntil = await inSeconds(trial, hour)
    const response = await acknowledge(trial, alertId, { acknowledgedUntil })
    for (const after of [response, await readAlert(trial, alertId)])
      expectSame(after.exchange, 'the rest', others(trial, after), others(trial, before))
  }),
})
