import { always, both, onApi, onPaged, ownResourceRule, rules } from '../../check/rule.ts'
import { listAt } from '../../document/json.ts'
import { parseTimestamp } from '../../document/timestamp.ts'
import type { Cell } from '../../model/api.ts'
import { NotApplicable } from '../../model/signals.ts'
import { idsOf, servedAt } from '../../resources/backups.ts'
import { orderAfterUpdate } from '../../resources/counts.ts'
import { mayHaveEqualTimestamps, seedEqualTimestamps } from '../../resources/equal-timestamps.ts'
import { createdOf, idOf, needs, whole } from '../../resources/lists.ts'
import { expectSame } from '../../resources/successful-response.ts'

/**
 * Returns whether a timestamp has fractions of a second. Timestamps in whole seconds can be equal even though the times
 * differ, so such resources may be in any order.
 */
const isExact = (value: string | undefined): boolean => value !== undefined && !value.endsWith('.')

const byCreation = 'the items ordered by creation time and ID:'

const onEqualTimestamps = ({ operation }: Cell): true | string =>
  mayHaveEqualTimestamps(operation.id) || 'the creation times of the items are unknown'

export default rules({
  'paging.order': [
    always(
      async (trial) => {
        const all = await whole(trial)
        needs(trial, all, 2)
        const timestamps = all.items.map((item) => parseTimestamp(createdOf(item)))
        if (timestamps.includes(undefined)) throw new NotApplicable('the items have no creation time')
        const keys = all.items.map((item, at) =>
          `${timestamps[at]} ${isExact(timestamps[at]) ? idOf(item) : ''}`.trim(),
        )
        const sorted = [...keys].sort()
        expectSame(all.exchange, byCreation, keys, sorted)
      },
      { at: both(onApi, onPaged) },
    ),
    ownResourceRule(
      async (trial) => {
        const { place, created } = await seedEqualTimestamps(trial)
        const { exchange, body } = await servedAt(trial, place)
        for (const item of listAt(body, 'results')) {
          const createdAt = createdOf(item)
          if (
            createdAt !== undefined &&
            parseTimestamp(createdAt) !== parseTimestamp(created.get(idOf(item)))
          )
            throw new NotApplicable('the creation times of the items differ from the seed')
        }
        expectSame(exchange, byCreation, idsOf(body), [...created.keys()])
      },
      { at: both(onApi, onPaged, onEqualTimestamps), label: 'equal timestamps' },
    ),
    orderAfterUpdate,
  ],
})
