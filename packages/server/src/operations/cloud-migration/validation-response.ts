import { failedState } from '../../domain/cloud-migration/failing-machine.ts'
import { validationAt } from '../../domain/cloud-migration/validation.ts'
import { Stored } from '../../domain/stored.ts'
import type { MigrationValidation } from '../../persistence/migration-validations.ts'
import { resource } from '../response.ts'

/**
 * Builds a response with the current state of a validation job. If the validation failed, the response includes its
 * error message.
 */
export function validationResponse(validation: MigrationValidation, now: number) {
  const { id, groupId, sourceGroupId, failure } = validation
  const status = validationAt(validation, now)
  const document = {
    _id: id,
    groupId,
    ...(sourceGroupId === '' ? {} : { sourceGroupId }),
    status,
    ...(status === failedState ? { errorMessage: failure } : {}),
  }
  return resource(Stored.of(document), 'getMigrationValidation', { groupId, validationId: id })
}
