import { problem } from '../../domain/problem.ts'
import type { Step } from '../request-context.ts'
import { inputSchemas } from '../schemas.ts'
import { checkPath } from '../validation.ts'

/** 400 for a path parameter that cannot be read, or does not fit its format. */
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
