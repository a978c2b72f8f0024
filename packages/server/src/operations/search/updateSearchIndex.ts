import { operation } from '../operation.ts'
import { updateIndex } from './change-index.ts'
import { keyOf } from './index-key.ts'

export default operation('updateSearchIndex', ({ world, path, body, now }) =>
  updateIndex(world, path, keyOf(path), body.definition, now),
)
