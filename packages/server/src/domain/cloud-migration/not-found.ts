import { problem } from '../problem.ts'

/** The failure for an identifier that no migration of the project has. */
export function migrationNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail: `No live migration with the ID ${id} exists in the project.`,
  })
}

/** The failure for an identifier that no validation of the project has. */
export function validationNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail: `No validation job with the ID ${id} exists in the project.`,
  })
}
