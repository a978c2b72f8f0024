import { problem } from '../problem.ts'

export function migrationNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail: `No live migration with the ID ${id} exists in the project.`,
  })
}

export function validationNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail: `No validation job with the ID ${id} exists in the project.`,
  })
}
