import { failedState } from '../../domain/cloud-migration/failing-machine.ts'
import { initialValidation } from '../../domain/cloud-migration/validation.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { type MigrationValidation, migrationValidations } from '../../persistence/migration-validations.ts'
import { operation } from '../operation.ts'
import { obstacleTo } from './obstacle.ts'
import { validationResponse } from './validation-response.ts'

export default operation('validateMigration', async ({ world, path, body, now }) => {
  const { groupId } = path
  const { groupId: sourceGroupId = '' } = body.source
  const obstacle = await obstacleTo(world.database, groupId, body.destination)
  const validation: MigrationValidation = {
    id: world.ids.next(now),
    groupId,
    sourceGroupId: isIdentifier(sourceGroupId) ? sourceGroupId : '',
    state: initialValidation,
    since: now,
    ...(obstacle === undefined ? {} : { target: failedState }),
    failure: obstacle ?? '',
    createdAt: now,
  }
  await migrationValidations.put(world.database, validation)
  return validationResponse(validation, now)
})
