import { operation } from '../operation.ts'
import { findIndex } from './find-index.ts'
import { keyOf } from './index-key.ts'

export default operation('getSearchIndex', ({ world, path, now }) => findIndex(world, path, keyOf(path), now))
