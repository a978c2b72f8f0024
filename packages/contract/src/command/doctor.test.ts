import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen } from '../../test/console.ts'
import { runCommandLine } from './command.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contract-doctor-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const call = async (argv: string[]) => {
  const { console, output } = listen()
  return { code: await runCommandLine(argv, console), said: output() }
}

test('doctor reports missing prerequisites and the requirements that remain untested', async () => {
  const file = join(folder, 'target.json')
  writeFileSync(file, '{"baseUrl":"http://127.0.0.1:9","things":{"groupId":"64b7e1c20f3a5d6e7f809101"}}')
  const { code, said: output } = await call(['doctor', '--target', file])
  expect(code).toBe(3)
  expect(output).toContain('no server responds at http://127.0.0.1:9')
  expect(output).toContain('missing: a way to raise events\n         Not tested: alert lifecycles.')
  expect(
    (await call(['doctor', '--base-url', 'http://127.0.0.1:9', '--control', 'http://127.0.0.1:8'])).said,
  ).toContain('Nothing is missing.')
})

test('doctor reports only what the selection needs', async () => {
  const file = join(folder, 'target.json')
  const target = {
    baseUrl: 'http://127.0.0.1:9',
    things: { groupId: '64b7e1c20f3a5d6e7f809101' },
    roles: { PROJECT_OWNER: { apiKey: { publicKey: 'key', privateKey: 'secret' } } },
  }
  writeFileSync(file, JSON.stringify(target))
  const missing = async (...selection: string[]) => {
    const { said: output } = await call(['doctor', '--target', file, ...selection])
    const lacks = output.split('\n').flatMap((line) => /^missing: (.*)/.exec(line)?.[1] ?? [])
    return output.includes('Nothing is missing.') ? 'nothing' : lacks.join(', ')
  }
  expect(await missing('--area', 'Access Tracking')).toMatch(/clusters by tier.*a way to add access logs/)
  const dns = await missing('--area', 'Custom DNS')
  expect(dns).toMatch(/API keys of.*a way to seed and remove resources/)
  expect(dns).not.toMatch(/events|access logs|clusters|notifications/)
  // The run creates roles through the API. A target file can't name roles, because calls may use them up.
  expect(await missing('--area', 'Cloud Provider Access')).not.toMatch(/roleId|cloudProvider/)
  expect(await missing('--operation', 'deleteSearchIndex')).not.toContain('indexId')
  expect(await missing('--operation', 'getSearchIndex')).toContain('the indexId of existing resources')
  // Request bodies can also contain names of resources.
  const [bucket, restore] = ['createExportBucket', 'createRestoreJob'].map((id) => ['--operation', id])
  expect(await missing(...(bucket ?? []))).toContain('the roleId of existing resources')
  expect(await missing(...(restore ?? []))).toMatch(/the snapshotId of existing resources, clusters by tier/)
  expect(await missing('--area', 'Alerts', '--requirement', 'paging.past-')).toBe('a way to raise events')
  // Creation times can be set only by seeding.
  expect(await missing('--area', 'Alerts', '--requirement', 'paging.order')).toBe(
    'a way to raise events, a way to seed and remove resources',
  )
  expect(await missing('--operation', 'getCustomDns', '--requirement', 'envelope.')).toBe('nothing')
  // A target file can't specify the source of a migration.
  expect(await missing('--operation', 'createMigration', '--requirement', 'envelope.')).toBe(
    'credentials of ORGANIZATION_OWNER, a way to seed and remove resources',
  )
})

test('doctor reports a missing instance if no other cluster is suitable', async () => {
  const file = join(folder, 'target.json')
  const [main, instance] = [
    { name: 'main', tier: 'M30' },
    { name: 'instance', tier: 'SERVERLESS' },
  ]
  const outputOf = async (operation: string, ...clusters: object[]) => {
    const things = { groupId: '64b7e1c20f3a5d6e7f809101', snapshotId: '64b7e1c20f3a5d6e7f809102' }
    writeFileSync(file, JSON.stringify({ baseUrl: 'http://127.0.0.1:9', things, roles: {}, clusters }))
    return (await call(['doctor', '--target', file, '--operation', operation])).said.replaceAll(/\s+/g, ' ')
  }
  const lack = 'missing: a serverless instance (a cluster with the tier SERVERLESS or FLEX)'
  expect(await outputOf('listServerlessSnapshots', main)).toContain(lack)
  expect(await outputOf('listServerlessSnapshots', main, instance)).not.toContain(lack)
  expect(await outputOf('listSnapshots', main)).not.toContain(lack)
  const named = 'missing: the getServerlessSnapshot.snapshotId of existing resources'
  expect(await outputOf('getServerlessSnapshot', main, instance)).toContain(named)
})

test('doctor tests the credentials and reports which ones are rejected and where', async () => {
  const challenge = { 'WWW-Authenticate': 'Digest realm="x", nonce="n", qop="auth", algorithm=MD5' }
  const server = createServer(({ url = '', headers: { authorization = '' } }, response) => {
    if (url.includes('/oauth/')) response.writeHead(401).end('{"error":"invalid_client"}')
    else if (authorization === '' || authorization.includes('wrong')) response.writeHead(401, challenge).end()
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const file = join(folder, 'target.json')
  const key = (publicKey: string) => ({ apiKey: { publicKey, privateKey: 'secret' } })
  const diagnose = (roles: object) => {
    const things = { groupId: '64b7e1c20f3a5d6e7f809101' }
    writeFileSync(file, JSON.stringify({ baseUrl: `http://127.0.0.1:${port}`, things, roles }))
    return call(['doctor', '--target', file, '--area', 'Custom DNS', '--version', '2023-01-01'])
  }
  expect((await diagnose({ PROJECT_OWNER: key('right') })).code).toBe(0)
  const serviceAccount = { clientId: 'svc_sa_1', clientSecret: 'secret' }
  const ill = await diagnose({
    PROJECT_READ_ONLY: key('right'),
    PROJECT_OWNER: { ...key('wrong'), serviceAccount },
    PROJECT_BACKUP_MANAGER: key('wrong too'),
  })
  server.closeAllConnections()
  server.close()
  expect(ill.code).toBe(2)
  const rejected = ill.said.slice(ill.said.indexOf('rejected:')).replaceAll(/\s+/g, ' ')
  expect(rejected).toMatch(
    /^rejected: the API key of PROJECT_OWNER, and 1 other: GET \/api\/svc\/v2\S+ got status 401 rejected: /,
  )
  expect(rejected).toContain('the service account of PROJECT_OWNER: a token for svc_sa_1')
  expect(rejected).not.toContain('PROJECT_READ_ONLY')
  expect(ill.said.split('\n').filter((line) => line.length > 80 && !line.includes('/groups/'))).toEqual([])
})

test('tests credentials on existing resources, first on selected ones', async () => {
  const challenge = { 'WWW-Authenticate': 'Digest realm="x", nonce="n", qop="auth", algorithm=MD5' }
  const asked: string[] = []
  const server = createServer(({ url = '', headers: { authorization = '' } }, response) => {
    const json = { 'Content-Type': 'application/json' }
    if (authorization !== '') asked.push(url)
    if (!/(fieldNames|alertConfigs|awsCustomDNS)$/.test(url)) response.writeHead(404, json).end('{}')
    else if (authorization.includes('right')) response.writeHead(200, json).end('{}')
    else response.writeHead(401, challenge).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const file = join(folder, 'target.json')
  const outputOf = async (command: 'doctor' | 'run', publicKey: string, ...selection: string[]) => {
    const roles = { PROJECT_OWNER: { apiKey: { publicKey, privateKey: 'secret' } } }
    const things = { groupId: '64b7e1c20f3a5d6e7f809101' }
    writeFileSync(file, JSON.stringify({ baseUrl: `http://127.0.0.1:${port}`, things, roles }))
    asked.length = 0
    return call([command, '--target', file, ...selection])
  }
  const dns = ['--operation', 'updateCustomDns', '--version', '2023-01-01']
  try {
    expect(await outputOf('doctor', 'right')).toMatchObject({
      code: 0,
      said: expect.not.stringContaining('rejected:'),
    })
    expect(await outputOf('doctor', 'wrong')).toMatchObject({
      code: 2,
      said: expect.stringContaining('rejected:'),
    })
    expect((await outputOf('doctor', 'right', ...dns)).code).toBe(0)
    expect(asked).toEqual([expect.stringContaining('awsCustomDNS')])
    expect((await outputOf('doctor', 'wrong', ...dns)).said).toMatch(
      /GET\s+\S+awsCustomDNS got\s+status\s+401/,
    )
    // A wrong key is an error in the target file, not in the target.
    for (const selection of [[], dns])
      expect(await outputOf('run', 'wrong', ...selection)).toMatchObject({
        code: 2,
        said: expect.stringContaining('rejects these credentials'),
      })
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
