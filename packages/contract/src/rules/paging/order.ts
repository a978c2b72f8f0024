import { listAt } from '../../document/json.ts'
import { momentOf } from '../../document/timestamp.ts'
import type { Cell } from '../../engine/api.ts'
import { always, both, onApi, onPaged, own, rules } from '../../engine/rule.ts'
import { NotApplicable } from '../../engine/signals.ts'
import { expectSame } from '../../given/answered.ts'
import { idsOf, servedAt } from '../../given/backups.ts'
import { createdOf, idOf, needs, whole } from '../../given/lists.ts'
import { mayHaveTies, seedTies } from '../../given/ties.ts'

/** Whole seconds may be those of finer moments that nobody is shown: of two things of one second, any may be older. */
const isExact = (moment: string | undefined): boolean => moment !== undefined && !moment.endsWith('.')

const byCreation = 'the items by the time that each was created, and id:'

const onTies = ({ operation }: Cell): true | string =>
  mayHaveTies(operation.id) || 'nobody can say when the items were created'

export default rules({
  'paging.order': [
    always(
      async (trial) => {
        const all = await whole(trial)
        needs(trial, all, 2)
        const moments = all.items.map((item) => momentOf(createdOf(item)))
        if (moments.includes(undefined))
          throw new NotApplicable('the items do not say when they were created')
        const keys = all.items.map((item, at) =>
          `${moments[at]} ${isExact(moments[at]) ? idOf(item) : ''}`.trim(),
        )
        const sorted = [...keys].sort()
        expectSame(all.exchange, byCreation, keys, sorted)
      },
      { at: both(onApi, onPaged) },
    ),
    own(
      async (trial) => {
        const { place, created } = await seedTies(trial)
        const { exchange, body } = await servedAt(trial, place)
        for (const item of listAt(body, 'results')) {
          const told = createdOf(item)
          if (told !== undefined && momentOf(told) !== momentOf(created.get(idOf(item))))
            throw new NotApplicable('the items say that they were created when the seed does not')
        }
        expectSame(exchange, byCreation, idsOf(body), [...created.keys()])
      },
      { at: both(onApi, onPaged, onTies), label: 'of one moment' },
    ),
  ],
})
