import { operations } from '@svc-admin/types'
import { problem } from '../domain/problem.ts'
import { everyOperation, type Fault, type FaultEffect } from '../world/faults.ts'
import type { RequestEntry } from '../world/request-log.ts'
import type { World } from '../world/world.ts'
import type { ControlAction } from './control-action.ts'
import { ControlInputError, type Fields, fieldsOf, maybeNumber, text } from './fields.ts'

const longestLatency = 60_000

/**
 * Adds a fault. The body is `{operationId, kind, milliseconds?, status?, retryAfter?, bytes?, times?, share?, seed?}`.
 */
const add: ControlAction = async (world, body) => {
  const fields = fieldsOf(body, 'The body')
  const operationId = text(fields, 'operationId')
  if (operationId !== everyOperation && !Object.hasOwn(operations, operationId)) {
    throw new ControlInputError(
      `Unknown operation '${operationId.slice(0, 100)}'. Use '${everyOperation}' for all operations`,
    )
  }
  const times = whole(fields, 'times', 1, 1_000_000)
  const share = maybeNumber(fields, 'share')
  if (share !== undefined && (share <= 0 || share > 1)) {
    throw new ControlInputError("'share' must be greater than 0 and at most 1")
  }
  return shownFault(
    stateOf(world).faults.add({
      operationId,
      effect: effectOf(fields),
      seed: whole(fields, 'seed', 0, 2 ** 32) ?? 0,
      ...(times === undefined ? {} : { times }),
      ...(share === undefined ? {} : { share }),
    }),
  )
}

function effectOf(fields: Fields): FaultEffect {
  const kind = text(fields, 'kind')
  if (kind === 'latency') {
    return { kind, milliseconds: whole(fields, 'milliseconds', 0, longestLatency) ?? 1000 }
  }
  if (kind === 'status') {
    const status = fields.status ?? 503
    if (status !== 429 && status !== 503) throw new ControlInputError("'status' must be 429 or 503")
    return { kind, status, retryAfter: whole(fields, 'retryAfter', 0, 86_400) ?? 1 }
  }
  if (kind === 'cut') return { kind, bytes: whole(fields, 'bytes', 0, 1 << 30) ?? 0 }
  if (kind === 'reset' || kind === 'stale-nonce') return { kind }
  throw new ControlInputError("'kind' must be one of latency, status, cut, reset, stale-nonce")
}

function whole(fields: Fields, name: string, minimum: number, maximum: number): number | undefined {
  const value = maybeNumber(fields, name)
  if (value === undefined || (Number.isInteger(value) && value >= minimum && value <= maximum)) return value
  throw new ControlInputError(`'${name}' must be a whole number from ${minimum} to ${maximum}`)
}

const shownFault = ({ effect, ...rule }: Fault) => ({ ...rule, ...effect })

const requestsShown = 100

const showRequests: ControlAction = async (world, _, { query }) => {
  const limit = Number(query('limit') ?? requestsShown)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    throw new ControlInputError("'limit' must be a whole number from 1 to 1000")
  }
  return { requests: stateOf(world).requests.latest(limit).map(shownRequest) }
}

/** Returns a logged request without undefined fields. */
export const shownRequest = (entry: RequestEntry): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined))

function stateOf({ sandbox }: World) {
  if (!sandbox) throw new Error('The world is not a sandbox')
  return sandbox
}

export const faultActions: Readonly<Record<string, ControlAction>> = {
  'GET /faults': async (world) => ({ faults: stateOf(world).faults.all().map(shownFault) }),
  'POST /faults': add,
  'DELETE /faults': async (world) => {
    stateOf(world).faults.clear()
    return {}
  },
  'DELETE /faults/:faultId': async (world, _, { parameter }) => {
    const id = parameter('faultId')
    if (!stateOf(world).faults.remove(id)) {
      throw problem('RESOURCE_NOT_FOUND', { detail: `No fault with the ID ${id.slice(0, 100)} exists.` })
    }
    return {}
  },
  'GET /requests': showRequests,
  'DELETE /requests': async (world) => {
    stateOf(world).requests.clear()
    return {}
  },
}
