import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { limits } from '@svc-admin/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKit } from '../../kit.ts'

const [groupId, roleId] = ['a'.repeat(24), 'b'.repeat(24)]
const role = { roleId, providerName: 'AWS', authorizedDate: '2026-01-01T00:00:00Z' }

interface Bucket {
  readonly bucketName?: unknown
  readonly iamRoleId?: string
}

/** Returns the JSON pointer that the error should name, or `undefined` if the bucket is valid. */
let faultIn: (bucket: Bucket) => string | undefined = () => undefined
let refusals = 400
const server = createServer(async (request, response) => {
  const { method, url = '', headers } = request
  const body = await text(request)
  const answer = (status: number, content: object): void => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content))
  }
  const challenge = 'Digest realm="x", nonce="n", qop="auth", algorithm=MD5'
  if (headers.authorization === undefined) response.writeHead(401, { 'WWW-Authenticate': challenge }).end()
  else if (method === 'DELETE') response.writeHead(204).end()
  else if (url.endsWith(roleId)) answer(200, role)
  else if (method !== 'POST') answer(404, {})
  // The kit sends requests without a body to find out which operations exist.
  else if (body === '') answer(400, { errorCode: 'INVALID_JSON' })
  else {
    const fault = faultIn(JSON.parse(body))
    const errorCode = refusals === 404 ? 'RESOURCE_NOT_FOUND' : 'VALIDATION_ERROR'
    if (fault === undefined) answer(200, { ...JSON.parse(body), _id: 'c'.repeat(24) })
    else answer(refusals, { errorCode, parameters: [fault] })
  }
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Returns the verdicts for the newest version, by variant. */
const verdictsOn = async (requirement: string, things: object = { roleId }) => {
  const { port } = server.address() as AddressInfo
  const kit = await openKit({
    target: {
      baseUrl: `http://127.0.0.1:${port}`,
      things: { groupId, ...things },
      roles: { ORGANIZATION_OWNER: { apiKey: { publicKey: 'key', privateKey: 'secret' } } },
    },
    selection: {
      operations: ['createExportBucket'],
      requirements: [requirement],
      versions: ['2024-05-30'],
      inputs: 0,
    },
  })
  const { results } = await kit.run()
  const own = results.filter((one) => one.requirement === requirement)
  return Object.fromEntries(own.map(({ id, verdict }) => [id.split('#')[1] ?? '', verdict]))
}

const noRole = ({ iamRoleId }: Bucket) => (iamRoleId === roleId ? undefined : '/iamRoleId')
const wrongName = ({ bucketName }: Bucket) =>
  typeof bucketName !== 'string' ||
  bucketName.length < limits.bucketName.minLength ||
  bucketName.length > limits.bucketName.maxLength
    ? '/bucketName'
    : undefined

test('does not mistake an error about the role for an error about the name', async () => {
  refusals = 400
  faultIn = noRole
  const named = 'createExportBucket.bucket-name-3-to-63'
  const constraints = 'bodies.constraints-enforced'
  expect(await verdictsOn(named)).toMatchObject({ '2 characters': 'FAIL', '64 characters': 'FAIL' })
  expect((await verdictsOn(constraints))['/bucketName minLength-1']).toBe('FAIL')
  faultIn = (bucket) => noRole(bucket) ?? wrongName(bucket)
  expect(await verdictsOn(named)).toMatchObject({ '2 characters': 'PASS', '64 characters': 'PASS' })
  expect((await verdictsOn(constraints))['/bucketName minLength-1']).toBe('PASS')
  // An error that names another field doesn't show that the server validates the bucket name.
  faultIn = (bucket) => wrongName(bucket) && '/cloudProvider'
  expect((await verdictsOn(constraints))['/bucketName minLength-1']).toBe('WARN')
  // Without a role, the check is untestable.
  faultIn = noRole
  const without = await verdictsOn(named, {})
  expect(new Set(Object.values(without))).toEqual(new Set(['UNTESTABLE']))
})

test('tests an unknown role in a provided project', async () => {
  const exists = 'createExportBucket.role-must-exist'
  refusals = 404
  faultIn = noRole
  expect(await verdictsOn(exists)).toEqual({ '': 'PASS', 'role of another project': 'UNTESTABLE' })
  faultIn = () => undefined
  expect(await verdictsOn(exists)).toEqual({ '': 'WARN', 'role of another project': 'UNTESTABLE' })
})
