import { operation } from '../operation.ts'
import { removeSnapshot } from './remove-snapshot.ts'

export default operation('deleteSnapshot', (input) => removeSnapshot(input, 'replicaSet'))
