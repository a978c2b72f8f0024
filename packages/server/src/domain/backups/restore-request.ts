import type { components } from '@svc-admin/types/newest'
import { problem } from '../problem.ts'

type RestoreRequest = components['schemas']['RestoreJobRequest']

/** The fields that each delivery type requires. */
const needed: Readonly<Record<RestoreRequest['deliveryType'], readonly (keyof RestoreRequest)[]>> = {
  automated: ['snapshotId', 'targetClusterName', 'targetGroupId'],
  download: ['snapshotId'],
  pointInTime: ['targetClusterName', 'targetGroupId'],
}

/**
 * Checks that a request contains all fields required by its delivery type.
 *
 * @throws {Problem} `VALIDATION_ERROR` with the missing fields.
 */
export function checkRestoreRequest(request: RestoreRequest): void {
  const { deliveryType, oplogTs, oplogInc } = request
  const missing = needed[deliveryType].filter((name) => request[name] === undefined)
  if (missing.length > 0) {
    const detail = `The delivery type ${deliveryType} requires ${missing.join(' and ')}.`
    throw refusal(detail, missing)
  }
  if ((oplogTs === undefined) !== (oplogInc === undefined)) {
    throw refusal('The fields oplogTs and oplogInc must be sent together.', [
      oplogTs === undefined ? 'oplogTs' : 'oplogInc',
    ])
  }
  if (deliveryType === 'pointInTime') checkPointInTime(request)
}

function checkPointInTime({ oplogTs, pointInTimeUTCSeconds }: RestoreRequest): void {
  if ((oplogTs === undefined) !== (pointInTimeUTCSeconds === undefined)) return
  const detail =
    oplogTs === undefined
      ? 'A point-in-time restore requires either `pointInTimeUTCSeconds` or `oplogTs`.'
      : 'A point-in-time restore accepts only one of `pointInTimeUTCSeconds` and `oplogTs`, but both were sent.'
  throw refusal(detail, ['pointInTimeUTCSeconds', 'oplogTs'])
}

function refusal(detail: string, fields: readonly string[]) {
  return problem('VALIDATION_ERROR', { detail, parameters: fields.map((name) => `/${name}`) })
}
