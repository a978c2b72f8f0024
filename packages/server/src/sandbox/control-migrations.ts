import { failedMigrationState } from '../domain/cloud-migration/live-migration.ts'
import { migrationNotFound, validationNotFound } from '../domain/cloud-migration/not-found.ts'
import { failedValidationState } from '../domain/cloud-migration/validation.ts'
import { problem } from '../domain/problem.ts'
import { liveMigrations } from '../persistence/live-migrations.ts'
import { migrationValidations } from '../persistence/migration-validations.ts'
import type { ControlAction } from './control-action.ts'
import { fieldsOf, maybeText, text } from './fields.ts'

/** Marks a migration as failed. The body is `{groupId, liveMigrationId}`. */
const failMigration: ControlAction = async (world, body) => {
  const fields = fieldsOf(body, 'The body')
  const id = text(fields, 'liveMigrationId')
  const now = await world.clock.now()
  return world.database.transaction(async (transaction) => {
    const migration = await liveMigrations.find(transaction, text(fields, 'groupId'), id)
    if (!migration) throw migrationNotFound(id)
    const state = failedMigrationState(migration, now)
    if (state === undefined)
      throw problem('INVALID_STATE', { detail: 'The live migration has already ended.' })
    await liveMigrations.put(transaction, { ...migration, state, since: now, target: '' })
    return { status: state }
  })
}

/** Marks a validation as failed. The body is `{groupId, validationId, errorMessage?}`. */
const failValidation: ControlAction = async (world, body) => {
  const fields = fieldsOf(body, 'The body')
  const id = text(fields, 'validationId')
  const failure = maybeText(fields, 'errorMessage') ?? 'The source cannot be reached from the migration host.'
  const now = await world.clock.now()
  return world.database.transaction(async (transaction) => {
    const validation = await migrationValidations.find(transaction, text(fields, 'groupId'), id)
    if (!validation) throw validationNotFound(id)
    const state = failedValidationState(validation, now)
    if (state === undefined)
      throw problem('INVALID_STATE', { detail: 'The validation job has already ended.' })
    await migrationValidations.put(transaction, { ...validation, state, since: now, target: '', failure })
    return { status: state }
  })
}

export const migrationActions = {
  'POST /live-migrations/fail': failMigration,
  'POST /migration-validations/fail': failValidation,
}
