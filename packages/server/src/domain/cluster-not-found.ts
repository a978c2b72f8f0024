import { problem } from './problem.ts'

export function clusterNotFound(name: string) {
  return problem('RESOURCE_NOT_FOUND', { detail: `No cluster named ${name} exists in the project.` })
}
