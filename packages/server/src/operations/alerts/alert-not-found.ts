import { problem } from '../../domain/problem.ts'

/** The error for an unknown alert ID. */
export function alertNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', { detail: `No alert with the ID ${id} exists in the project.` })
}
