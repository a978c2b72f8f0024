import { problem } from '../../domain/problem.ts'
import type { Step } from '../request-context.ts'
import { inputSchemas } from '../schemas.ts'
import { checkPath } from '../validation.ts'

/** Returns 400 if a path parameter can't be decoded or doesn't match its schema. */
export const checkPathFormat: Step = {
  name: 'path format',
  run: ({ route, version, path, undecoded }) => {
    if (undecoded.length > 0) throw notReadable(undecoded)
    checkPath(inputSchemas(route.row, version.id), path)
  },
}

function notReadable(names: readonly string[]) {
  const detail = names.map((name) => `The path parameter ${name} is not percent-encoded UTF-8.`).join(' ')
  return problem('VALIDATION_ERROR', { detail, parameters: names })
}
