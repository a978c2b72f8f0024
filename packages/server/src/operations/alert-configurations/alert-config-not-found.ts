import { problem } from '../../domain/problem.ts'

export function alertConfigNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', {
    detail: `No alert configuration with the ID ${id} exists in the project.`,
  })
}
