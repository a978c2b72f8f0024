import { states } from '@svc-admin/types'
import { always, forEach, rules } from '../../check/rule.ts'
import { listAt, stringAt } from '../../document/json.ts'
import { bodyOf, expectThat } from '../../model/expect.ts'
import { combined } from '../../resources/combinations.ts'
import { allItems, idOf } from '../../resources/lists.ts'

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
        const { items, exchange } = await allItems(trial, 'listAlerts', { query: [['status', status]] })
        // A separate requirement checks the order.
        const listed = items.map(idOf).sort()
        const expected = everything.items
          .filter((one) => stringAt(one, 'status') === status)
          .map(idOf)
          .sort()
        const right = listed.join() === expected.join()
        expectThat(right, { expected: expected.join(', '), actual: listed.join(', '), exchange })
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
  ],
})
