import { limits } from '@svc-admin/types'
import { always, both, onApi, onPaged } from '../check/rule.ts'
import { listAt } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { bodyOf, expectSuccess, expectThat } from '../model/expect.ts'
import { mayHaveEqualTimestamps, seedMany } from './equal-timestamps.ts'
import { sendRequest } from './own-resources.ts'

const { default: usual } = limits.itemsPerPage

/** Selects lists that the kit can seed. */
const canBeFilled = ({ operation }: Cell): true | string =>
  mayHaveEqualTimestamps(operation.id) || "a seed can't fill this list"

/** The default page size can be tested only if the list has more items. */
export const defaultSizeOfLongList = always(
  async (trial) => {
    const place = await seedMany(trial, usual + 1)
    for (const [number, count] of [usual, 1].entries()) {
      const query = number === 0 ? [] : [['pageNum', String(number + 1)] as const]
      const exchange = await sendRequest(trial, place, { query })
      expectSuccess(exchange)
      const { length } = listAt(bodyOf(exchange), 'results')
      expectThat(length === count, {
        expected: `${count} of ${usual + 1} items on page ${number + 1}`,
        actual: `${length} items`,
        exchange,
      })
    }
  },
  {
    at: both(onApi, onPaged, canBeFilled),
    phase: 'write',
    label: 'with more items',
  },
)
