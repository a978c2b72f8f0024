import { validationNotFound } from '../../domain/cloud-migration/not-found.ts'
import { migrationValidations } from '../../persistence/migration-validations.ts'
import { operation } from '../operation.ts'
import { validationResponse } from './validation-response.ts'

export default operation('getMigrationValidation', async ({ world, path, now }) => {
  const validation = await migrationValidations.get(world.database, path.groupId, path.validationId)
  if (!validation) throw validationNotFound(path.validationId)
  return validationResponse(validation, now)
})
