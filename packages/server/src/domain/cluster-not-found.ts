import { problem } from './problem.ts'

/** The failure for a name that no cluster of the project has. */
export function clusterNotFound(name: string) {
  return problem('RESOURCE_NOT_FOUND', { detail: `No cluster named ${name} exists in the project.` })
}
