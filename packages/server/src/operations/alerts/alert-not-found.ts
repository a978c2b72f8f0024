import { problem } from '../../domain/problem.ts'

export function alertNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', { detail: `No alert with the ID ${id} exists in the project.` })
}
