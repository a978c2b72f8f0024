import { operation } from '../operation.ts'
import { removeIndex } from './change-index.ts'
import { keyOf } from './index-key.ts'

export default operation('deleteSearchIndex', ({ world, path, now }) =>
  removeIndex(world, path, keyOf(path), now),
)
