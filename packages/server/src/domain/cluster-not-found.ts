import { problem } from './problem.ts'

/** The error for an unknown cluster. */
export function clusterNotFound(name: string) {
  return problem('RESOURCE_NOT_FOUND', { detail: `No cluster named ${name} exists in the project.` })
}
