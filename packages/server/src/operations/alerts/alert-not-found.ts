import { problem } from '../../domain/problem.ts'

/** The failure for an identifier that no alert of the project has. */
export function alertNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', { detail: `No alert with the ID ${id} exists in the project.` })
}
