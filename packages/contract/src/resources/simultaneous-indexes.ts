import type { Trial } from '../check/trial.ts'
import { type JsonObject, stringAt } from '../document/json.ts'
import type { Exchange } from '../http/exchange.ts'
import { bodyOf, expectThat, isSuccess } from '../model/expect.ts'
import { type OwnProject, ownCluster, sendRequest } from './own-resources.ts'
import { simultaneousSuccesses } from './simultaneous-requests.ts'

/** A server may also detect equal names when it builds the index, or delete one of the indexes again. */
const unused: readonly (string | undefined)[] = ['FAILED', 'DELETING']

/**
 * Returns whether a response shows that the index uses its name. The index is read again, unless the target doesn't
 * return it. It's our decision that the read operation returns indexes in the legacy format.
 */
const usesName = async (
  trial: Trial,
  place: OwnProject,
  indexId: string,
  created: Exchange,
): Promise<boolean> => {
  const { context, cell } = trial
  const reader = context.api.cell('getSearchIndex', cell.version.id)
  const isReadable = reader !== undefined && !context.notImplemented.has(reader)
  const read = isReadable
    ? await sendRequest(trial, place, { parameters: { indexId } }, 'getSearchIndex')
    : created
  return !unused.includes(stringAt(bodyOf(isSuccess(read) ? read : created), 'status'))
}

/** Creates several indexes with the same name at the same time, and expects at most one of them to use the name. */
export const expectOneIndex = async (trial: Trial, body: JsonObject): Promise<void> => {
  const place = await ownCluster(trial.context)
  const successes = await simultaneousSuccesses(
    () => sendRequest(trial, place, {}, 'listSearchAnalyzers'),
    () => sendRequest(trial, place, { body }),
  )
  const created = new Map(successes.map((one) => [stringAt(bodyOf(one), 'indexID') ?? '', one]))
  const using: Exchange[] = []
  for (const [indexId, exchange] of created)
    if (await usesName(trial, place, indexId, exchange)) using.push(exchange)
  const [, second] = using
  expectThat(second === undefined, {
    expected: 'at most one success for requests at the same time with the same name',
    actual: `${using.length} indexes with the same name`,
    ...(second && { exchange: second }),
  })
}
