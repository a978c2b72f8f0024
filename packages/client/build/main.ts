import { buildEntries } from './entries.ts'
import { publishTypes } from './types.ts'

const root = new URL('../', import.meta.url)
const entries = {
  index: 'src/index.ts',
  operations: 'src/operations.ts',
  'openapi-fetch': 'src/openapi-fetch.ts',
  testing: 'src/testing/index.ts',
  webhooks: 'src/webhooks.ts',
}

await buildEntries(root, entries)
publishTypes(root, entries)
