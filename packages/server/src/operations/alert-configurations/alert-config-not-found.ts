import { problem } from '../../domain/problem.ts'

/** The failure for an identifier that no configuration of the project has. */
export function alertConfigNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail: `No alert configuration with the ID ${id} exists in the project.`,
  })
}
