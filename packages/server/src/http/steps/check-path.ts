import type { Step } from '../exchange.ts'
import { inputSchemas } from '../schemas.ts'
import { checkPath } from '../validation.ts'

/** 400 for a path parameter that does not fit its format. */
export const checkPathFormat: Step = {
  name: 'path format',
  run: ({ route, version, path }) => checkPath(inputSchemas(route.row, version.id), path),
}
