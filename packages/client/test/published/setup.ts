import type { paths } from '@svc-admin/types/2025-03-12'
import createClient, { type Client } from 'openapi-fetch'
import { createFetch, createOpenapiClient } from '../../src/openapi-fetch.ts'
import { createHandlers, createStubFetch, type StubRequest } from '../../src/testing/index.ts'
import { baseUrl } from '../setup.ts'

export { alertId, baseUrl, groupId } from '../setup.ts'
export type { paths }

const version = '2025-03-12'
const stub = () => createStubFetch(createHandlers<typeof version>())

interface Subject {
  readonly client: Client<paths>
  readonly requests: readonly StubRequest[]
}

/** Our client, and the openapi-fetch client with our types and our `fetch`. */
export const subjects: readonly [string, () => Subject][] = [
  [
    'createOpenapiClient',
    () => {
      const { fetch, requests } = stub()
      return { client: createOpenapiClient({ baseUrl, version, fetch }), requests }
    },
  ],
  [
    'openapi-fetch with createFetch and @svc-admin/types',
    () => {
      const { fetch, requests } = stub()
      const ours = createFetch({ baseUrl, version, fetch })
      return { client: createClient<paths>({ baseUrl: `${baseUrl}/api/svc/v2/`, fetch: ours }), requests }
    },
  ],
]
