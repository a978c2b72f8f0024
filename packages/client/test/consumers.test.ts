import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installToolbox } from '../../../scripts/toolbox.ts'
import { installPacked } from './packed.ts'

const folder = mkdtempSync(join(tmpdir(), 'client-consumers-'))
let toolbox = ''
beforeAll(async () => {
  installPacked(folder)
  toolbox = await installToolbox(new URL('consumers/', import.meta.url))
  for (const name of ['msw', 'graphql']) {
    symlinkSync(join(toolbox, 'node_modules', name), join(folder, 'node_modules', name))
  }
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a script and returns its output and whether it failed. */
function runNode(args: readonly string[], cwd: string): Promise<{ printed: string; failed: boolean }> {
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd }, (error, stdout, stderr) =>
      resolve({ printed: stdout + stderr, failed: error !== null }),
    ),
  )
}

const program = `
import { createClient, isErrorCode, otherKind, type v2024_05_30 } from '@svc-admin/client'
import { createHandlers, createStubFetch } from '@svc-admin/client/testing'
import { createOpenapiClient } from '@svc-admin/client/openapi-fetch'
import { listAlerts } from '@svc-admin/client/operations'
import { verifyWebhook } from '@svc-admin/client/webhooks'

const { fetch } = createStubFetch(createHandlers<'2024-05-30'>())
const client = createClient({ baseUrl: 'https://cloud.example.com', version: '2024-05-30', fetch })
export async function main(): Promise<void> {
  const alert: v2024_05_30.Alert = await client.getAlert({ groupId: 'a', alertId: 'b' })
  const api = createOpenapiClient({ baseUrl: 'https://cloud.example.com', version: '2024-05-30', fetch })
  const { data } = await api.GET('/groups/{groupId}/alerts', { params: { path: { groupId: 'a' } } })
  for await (const each of client.listAlerts.items({ groupId: 'a' })) console.log(each.id === alert.id)
  const { notifications = [] } = await client.getAlertConfig({ groupId: 'a', alertConfigId: 'b' })
  for (const each of notifications) if (each.typeName === 'EMAIL') console.log(each.emailAddress)
  console.log(data?.results?.length, listAlerts.id, isErrorCode(new Error(), 'RATE_LIMITED'))
  const outcome = await client.getAlert({ groupId: 'a', alertId: 'b' }).result()
  if (outcome.status === 200) console.log(outcome.data.id)
  else if (outcome.status === 404) console.log(outcome.error.errorCode === 'RESOURCE_NOT_FOUND')
  else console.log(Number(outcome.status) === 502, outcome.error.detail)
  const others = [otherKind({ typeName: 'NEW_KIND', room: 7 })]
  await client.createAlertConfig({ groupId: 'a', body: { eventTypeName: 'HOST_DOWN', notifications: others } })
  const event = await verifyWebhook('{}', new Headers(), { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
  if (event.type === 'alert.open') console.log(event.data.eventTypeName)
  // @ts-expect-error a misspelled field
  await client.acknowledgeAlert({ groupId: 'a', alertId: 'b', body: { acknowledgedUntl: '' } })
  // @ts-expect-error a required parameter is missing
  await client.getAlert({ groupId: 'a' })
  // @ts-expect-error alerts don't have this status
  await client.listAlerts({ groupId: 'a', status: 'NONE' })
}
`

const compilers = ['5.4', '5.5', '5.6', '5.7', '5.8', '5.9', '6.0', '7.0']
const settings = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext', files: ['main.mts', 'main.cts'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', files: ['main.ts'] },
  // This setting doesn't support `exports`. TypeScript 6 deprecates it, and TypeScript 7 removes it.
  node10: { module: 'commonjs', moduleResolution: 'node10', files: ['main.ts'] },
}

/** Returns whether this is the oldest compiler, or the newest compiler of a major version. */
const isBoundary = (version: string) => ['5.4', '5.9', '6.0', '7.0'].includes(version)

/**
 * Returns the settings to test a compiler with. Compilers between the boundary versions are tested only with ES
 * modules, and don't check the declarations, because the older and newer compilers check them. Not all compilers are
 * tested with `bundler`, because this setting uses the same declarations as `nodenext`. Only TypeScript 5.9 is tested
 * with `node10`, because it is the last version that fully supports this setting.
 */
const settingsOf = (version: string) =>
  Object.entries({
    ...settings,
    nodenext: isBoundary(version) ? settings.nodenext : { ...settings.nodenext, files: ['main.mts'] },
  }).filter(([name]) =>
    name === 'node10' ? version === '5.9' : name === 'nodenext' || ['5.4', '6.0', '7.0'].includes(version),
  )

// Each compiler runs in its own process and uses one processor.
describe.concurrent.each(compilers)('a consumer with TypeScript %s', (version) => {
  const compiler = () => join(toolbox, 'node_modules', `typescript-${version}`)

  test('has that version', () => {
    const manifest = JSON.parse(readFileSync(join(compiler(), 'package.json'), 'utf8'))
    expect(manifest.version).toMatch(new RegExp(`^${version}\\.`))
  })

  test.each(settingsOf(version))(
    'compiles under %s',
    async (name, options) => {
      const { files, ...resolution } = options
      const home = join(folder, `${version}-${name}`)
      mkdirSync(home)
      const compilerOptions = {
        ...resolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        isolatedModules: true,
        // The platform's declarations aren't under test, and checking them takes most of the time.
        skipDefaultLibCheck: true,
        skipLibCheck: name === 'bundler' || !isBoundary(version),
        noEmit: true,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
      }
      for (const file of files) writeFileSync(join(home, file), program)
      writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
      expect(await runNode([join(compiler(), 'bin/tsc')], home)).toEqual({ printed: '', failed: false })
    },
    300_000,
  )
})

const mocked = `
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { createClient, isErrorCode } from '@svc-admin/client'
import { connectionReset, createHandlers, createMswHandlers, rateLimited, withFaults } from '@svc-admin/client/testing'

const baseUrl = 'https://cloud.example.com'
const respond = createHandlers({ listMatcherFieldNames: ['CLUSTER_NAME'] })
const faults = [undefined, connectionReset(), undefined, rateLimited(61)]
const server = setupServer(...createMswHandlers(http, baseUrl, withFaults(faults, respond)))
server.listen({ onUnhandledRequest: 'error' })
const retry = { baseDelayMs: 1 }
const client = createClient({ baseUrl, version: '2024-05-30', retry })
const names = await client.listMatcherFieldNames()
const again = await client.listMatcherFieldNames().withResponse()
const limited = await client.listMatcherFieldNames().catch((error) => isErrorCode(error, 'RATE_LIMITED'))
console.log(JSON.stringify({ names, attempts: again.attempts, limited }))
server.close()
`

test('the handlers respond to requests that Mock Service Worker intercepts', async () => {
  writeFileSync(join(folder, 'mocked.mjs'), mocked)
  const { printed, failed } = await runNode(['mocked.mjs'], folder)
  expect(printed).toBe('{"names":["CLUSTER_NAME"],"attempts":2,"limited":true}\n')
  expect(failed).toBe(false)
})
