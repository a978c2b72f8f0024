import { operation } from '../operation.ts'
import { updateIndex } from './change-index.ts'
import { keyOf } from './index-key.ts'

export default operation('updateSearchIndexByName', ({ world, path, body, now }) =>
  updateIndex(world, path, keyOf(path), body.definition, now),
)
