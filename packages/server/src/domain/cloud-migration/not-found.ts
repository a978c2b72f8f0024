import { problem } from '../problem.ts'

/** The error for an unknown migration. */
export function migrationNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail: `No live migration with the ID ${id} exists in the project.`,
  })
}

/** The error for an unknown validation. */
export function validationNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail: `No validation job with the ID ${id} exists in the project.`,
  })
}
