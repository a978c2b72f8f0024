import { states } from '@svc-admin/types'
import { listAt, stringAt } from '../../document/json.ts'
import { bodyOf, expectSuccess, expectThat } from '../../engine/expect.ts'
import { always, forEach, rules } from '../../engine/rule.ts'

const all = ['itemsPerPage', '500'] as const

export default rules({
  /** Every alert of the project is listed, and none of another. */
  'listAlerts.lists-the-project': always(async (trial) => {
    const alert = bodyOf(await trial.send(await trial.callOf('getAlert')))
    const { groupId } = (await trial.good()).parameters
    const exchange = await trial.try({ query: [all] })
    expectSuccess(exchange)
    const results = listAt(bodyOf(exchange), 'results')
    const own = stringAt(alert, 'id')
    const listed = results.some((one) => stringAt(one, 'id') === own)
    expectThat(listed, { expected: `a list with ${own}`, actual: 'it is not listed', exchange })
    const groups = [...new Set(results.map((one) => stringAt(one, 'groupId')))]
    expectThat(
      groups.every((id) => id === groupId),
      { expected: groupId ?? '', actual: groups.join(', '), exchange },
    )
  }),

  /** With status only the alerts of that status are listed; without it all are. */
  'listAlerts.status-filters': forEach(
    () => states.alert.values,
    (status) => status,
    async (trial, status) => {
      const everything = listAt(bodyOf(await trial.try({ query: [all] })), 'results')
      const exchange = await trial.try({ query: [all, ['status', status]] })
      expectSuccess(exchange)
      const listed = listAt(bodyOf(exchange), 'results').map((one) => stringAt(one, 'id'))
      const expected = everything
        .filter((one) => stringAt(one, 'status') === status)
        .map((one) => stringAt(one, 'id'))
      const right = listed.join() === expected.join()
      expectThat(right, { expected: expected.join(', '), actual: listed.join(', '), exchange })
    },
  ),
})
