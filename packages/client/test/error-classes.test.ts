import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const options = `{
  baseUrl: 'https://cloud.example.com',
  version: '2024-05-30',
  operations: { listAlerts },
  fetch: async () => new Response('{}', { status: 409, headers: { link: '<https://docs.example/A>; rel="help"' } }),
}`

/** Bundles a program as an application would, and returns what it exports as `failure`. */
async function run(program: string): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  })
  const module = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`)
  return module.failure
}

const call = `
import { listAlerts } from '@svc-admin/client/operations'
const caught = await client(${options}).listAlerts({ groupId: 'a' }).catch((error) => error)`

test('all error classes are in a bundle with createClient', async () => {
  const failure = await run(`import { createClient as client } from '@svc-admin/client'${call}
export const failure = [caught.name, caught.helpUrl]`)
  expect(failure).toEqual(['ConflictError', 'https://docs.example/A'])
})

test('all error classes are in a bundle with createFetch', async () => {
  const failure = await run(`import { createFetch } from '@svc-admin/client/openapi-fetch'
const fetch = createFetch({
  baseUrl: 'https://cloud.example.com',
  version: '2024-05-30',
  credentials: { clientId: 'a', clientSecret: 'b' },
  fetch: async () => Response.json({}, { status: 404 }),
})
const caught = await fetch('https://cloud.example.com/api/svc/v2/groups/64b7e1c20f3a5d6e7f809101/alerts').catch((error) => error)
export const failure = caught.name`)
  expect(failure).toBe('NotFoundError')
})

test('a bundle with createPartialClient has only the error classes that it names', async () => {
  const failure = await run(`import { createPartialClient as client } from '@svc-admin/client'${call}
export const failure = [caught.name, caught.status, caught.helpUrl]`)
  expect(failure).toEqual(['ApiError', 409, undefined])
  const named =
    await run(`import { ConflictError, createPartialClient as client } from '@svc-admin/client'${call}
export const failure = [caught.name, caught instanceof ConflictError]`)
  expect(named).toEqual(['ConflictError', true])
})
