import { operation } from '../operation.ts'
import { removeSnapshot } from './remove-snapshot.ts'

export default operation('deleteShardedClusterSnapshot', (input) => removeSnapshot(input, 'shardedCluster'))
