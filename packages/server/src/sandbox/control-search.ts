import { problem } from '../domain/problem.ts'
import { failed } from '../domain/search/index-state.ts'
import { requirePresent } from '../domain/search/present-index.ts'
import { searchIndexes } from '../persistence/search-indexes.ts'
import type { ControlAction } from './control-action.ts'
import { fieldsOf, maybeText, text } from './fields.ts'

/**
 * Marks the build of an index's latest definition as failed. The body is `{groupId, clusterName, indexId, message?}`.
 */
const failIndex: ControlAction = async (world, body) => {
  const fields = fieldsOf(body, 'The body')
  const on = { groupId: text(fields, 'groupId'), clusterName: text(fields, 'clusterName') }
  const key = { id: text(fields, 'indexId') }
  const failure = maybeText(fields, 'message') ?? 'The definition cannot be built.'
  const now = await world.clock.now()
  return world.database.transaction(async (transaction) => {
    const { index, current: seen } = requirePresent(await searchIndexes.find(transaction, on, key), key, now)
    const state = failed(seen, now)
    if (!state) throw problem('INVALID_STATE', { detail: 'The Search index is not being built.' })
    await searchIndexes.update(transaction, { ...index, ...state, failure })
    return { status: state.state }
  })
}

export const searchActions = { 'POST /search-indexes/fail': failIndex }
