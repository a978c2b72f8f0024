import { states } from '@svc-admin/types'
import { always, forEach, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { listAt, stringAt } from '../../document/json.ts'
import type { Query } from '../../model/call.ts'
import { bodyOf, expectThat, isSuccess } from '../../model/expect.ts'
import { acknowledge, inSeconds, readAlert, withAlert } from '../../resources/alerts.ts'
import { combined } from '../../resources/combinations.ts'
import { allItems, idOf, type Listed } from '../../resources/lists.ts'

const withStatus = (trial: Trial, status: string): Promise<Listed> =>
  allItems(trial, 'listAlerts', { query: [['status', status]] })

const otherCasesOf = (status: string): string[] => [
  status.toLowerCase(),
  status.slice(0, 1) + status.slice(1).toLowerCase(),
]

/** Expects the list filtered by status to contain the same alerts with that status as the unfiltered list. */
const expectSameAlerts = (status: string, everything: Listed, filtered: Listed): void => {
  const expected = everything.items.filter((one) => stringAt(one, 'status') === status).map(idOf)
  const listed = filtered.items.map(idOf)
  const other = filtered.items.find((one) => stringAt(one, 'status') !== status)
  expectThat(other === undefined, {
    expected: `only alerts with status ${status}`,
    actual: `${idOf(other ?? null)}, which has status ${stringAt(other, 'status')}`,
    exchange: filtered.exchange,
  })
  const missing = expected.filter((id) => !listed.includes(id))
  expectThat(missing.length === 0, {
    expected: `a list that includes ${missing.join(', ')}, because the status is ${status}`,
    actual: 'a list without it',
    exchange: filtered.exchange,
  })
  const additional = listed.filter((id) => !expected.includes(id))
  expectThat(additional.length === 0, {
    expected: `a list of all alerts that includes ${additional.join(', ')}, as the list with status=${status} does`,
    actual: 'a list without it',
    exchange: everything.exchange,
  })
  const isRepeated = new Set(listed).size !== listed.length
  expectThat(!isRepeated, {
    expected: 'each alert only once',
    actual: listed.join(', '),
    exchange: filtered.exchange,
  })
}

/**
 * Expects the unfiltered list and the list filtered by the alert's own status to contain the alert. Lists filtered by
 * another status must not contain it.
 */
const expectListedByStatus = async (trial: Trial, alertId: string): Promise<void> => {
  const { status } = await readAlert(trial, alertId)
  const filters = ['', ...states.alert.values]
  for (const filter of filters) {
    const query: Query = filter === '' ? [] : [['status', filter]]
    const { items, exchange } = await allItems(trial, 'listAlerts', { query })
    const listed = items.map(idOf).includes(alertId)
    const expected = filter === '' || filter === status
    // The status may have changed since it was read.
    if (listed !== expected && (await readAlert(trial, alertId)).status !== status) return
    expectThat(listed === expected, {
      expected: `a list with${expected ? '' : 'out'} ${alertId}, because ${filter === '' ? 'the request has no status' : `its status is ${status}`}`,
      actual: `a list with${listed ? '' : 'out'} it`,
      exchange,
    })
  }
}

const minute = 60

/** These checks run one at a time, because all checks share the conditions and the clock. */
const ofRaisedAlert = [
  timed(
    (trial) =>
      withAlert(trial, async (alertId, { end }) => {
        await acknowledge(trial, alertId, { acknowledgedUntil: await inSeconds(trial, 60 * minute) })
        await expectListedByStatus(trial, alertId)
        await end()
        await expectListedByStatus(trial, alertId)
      }),
    { label: 'acknowledged alert' },
  ),
  timed(
    (trial) =>
      withAlert(
        trial,
        async (alertId) => {
          await expectListedByStatus(trial, alertId)
          await trial.context.prerequisites.advanceClock(11 * minute)
          await expectListedByStatus(trial, alertId)
        },
        { delays: [10] },
      ),
    { label: 'alert with a delay' },
  ),
]

export default rules({
  'listAlerts.lists-the-project': always(async (trial) => {
    const alert = bodyOf(await trial.send(await trial.callOf('getAlert')))
    const { groupId } = (await trial.good()).parameters
    const { items: results, exchange } = await allItems(trial, 'listAlerts')
    const own = stringAt(alert, 'id')
    const listed = results.some((one) => stringAt(one, 'id') === own)
    expectThat(listed, { expected: `a list that includes ${own}`, actual: 'a list without it', exchange })
    const groups = [...new Set(results.flatMap((one) => stringAt(one, 'groupId') ?? []))]
    expectThat(
      groups.every((id) => id === groupId),
      { expected: groupId ?? '', actual: groups.join(', '), exchange },
    )
  }),

  'listAlerts.status-filters': [
    forEach(
      () => states.alert.values,
      (status) => status,
      async (trial, status) => {
        const everything = await allItems(trial, 'listAlerts')
        expectSameAlerts(status, everything, await withStatus(trial, status))
      },
    ),
    forEach(
      () => states.alert.values.flatMap((status) => otherCasesOf(status)),
      (text) => text,
      async (trial, text) => {
        // The specification doesn't define whether the letter case matters, so the server may reject the value.
        if (!isSuccess(await trial.try({ query: [['status', text]] }))) return
        const everything = await allItems(trial, 'listAlerts')
        expectSameAlerts(text.toUpperCase(), everything, await withStatus(trial, text))
      },
    ),
    combined('status', (_, exchange, query) => {
      const [, status] = query.find(([name]) => name === 'status') ?? []
      const others = listAt(bodyOf(exchange), 'results').filter((one) => stringAt(one, 'status') !== status)
      expectThat(others.length === 0, {
        expected: `only alerts with status ${status}`,
        actual: others.map((one) => stringAt(one, 'status')).join(', '),
        exchange,
      })
    }),
    ...ofRaisedAlert,
  ],
})
