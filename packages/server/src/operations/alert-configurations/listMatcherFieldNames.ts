import { eventTypes } from '@svc-admin/types'
import { operation } from '../operation.ts'

export default operation('listMatcherFieldNames', async () => ({
  kind: 'array',
  values: [...eventTypes.matcherFields],
}))
