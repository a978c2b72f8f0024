// By default, the client rejects integers above 2^53 because JavaScript numbers would round them.
// With `parseBigIntegers`, the client returns these integers as bigint.
import { createClient, ParseError, parseBigIntegers } from '@svc-admin/client'
import { createStubFetch } from '@svc-admin/client/testing'

const respond = () =>
  new Response('{"id": "a", "storageSizeBytes": 9007199254740993}', {
    headers: { 'content-type': 'application/vnd.svc.2023-01-01+json' },
  })
const { fetch } = createStubFetch(respond)
const client = createClient({ baseUrl: 'https://cloud.example.com', version: '2025-03-12', fetch })
const args = { groupId: 'a', clusterName: 'b', snapshotId: 'c' }

const error = await client.getSnapshot(args).catch((thrown: unknown) => thrown)
if (error instanceof ParseError) console.log(error.message)
const { storageSizeBytes } = await client.getSnapshot(args, { parseJson: parseBigIntegers })
console.log(typeof storageSizeBytes, storageSizeBytes)
