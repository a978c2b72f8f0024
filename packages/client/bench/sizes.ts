import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Peers } from './peers.ts'

interface Size {
  readonly program: string
  readonly minified: number
  readonly gzip: number
}

const options = "baseUrl: 'https://cloud.example.com', version: '2024-05-30', credentials"
const loop = "for await (const alert of client.listAlerts.items({ groupId: 'a' })) console.log(alert)"

/** Returns the source of a program that creates a client with the given operations and loops over alerts. */
const partial = (ids: readonly string[]): string => `
import { createPartialClient } from '@svc-admin/client'
import { ${ids.join(', ')} } from '@svc-admin/client/operations'
export async function main(credentials) {
  const client = createPartialClient({ ${options}, operations: { ${ids.join(', ')} } })
  ${loop}
}`

const whole = `
import { createClient } from '@svc-admin/client'
export async function main(credentials) {
  const client = createClient({ ${options} })
  ${loop}
}`

const byPath = `
import { createOpenapiClient } from '@svc-admin/client/openapi-fetch'
export async function main(credentials) {
  const client = createOpenapiClient({ ${options} })
  const { data } = await client.GET('/groups/{groupId}/alerts', { params: { path: { groupId: 'a' } } })
  console.log(data)
}`

const peerPrograms: Readonly<Record<string, string>> = {
  '@hey-api/client-fetch':
    "import { createClient } from '@hey-api/client-fetch'; export const main = (o) => createClient(o).get({ url: '/a' })",
  'octokit core, retry, throttling, paginate': `
import { Octokit } from '@octokit/core'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { paginateRest } from '@octokit/plugin-paginate-rest'
export const main = (o) => new (Octokit.plugin(retry, throttling, paginateRest))(o).paginate('GET /user/repos')`,
  stripe: "import Stripe from 'stripe'; export const main = (k) => new Stripe(k).customers.list()",
  openai: "import OpenAI from 'openai'; export const main = (o) => new OpenAI(o).models.list()",
}

export async function measureSizes(peers: Peers | undefined): Promise<Size[]> {
  const here = fileURLToPath(new URL('..', import.meta.url))
  const { allOperations } = await import('#tables/all-operations')
  const others = allOperations.map(({ id }) => id).filter((id) => id !== 'listAlerts')
  const one = await measure('ours, one operation', partial(['listAlerts']), here)
  const all = await measure(`ours, ${others.length + 1} operations`, partial(['listAlerts', ...others]), here)
  const each = {
    program: 'ours, each further operation',
    minified: Math.round((all.minified - one.minified) / others.length),
    gzip: Math.round((all.gzip - one.gzip) / others.length),
  }
  const openapiFetch =
    "import createClient from 'openapi-fetch'; export const main = (o) => createClient(o).GET('/a')"
  const rows = [
    one,
    each,
    await measure('ours, createClient', whole, here),
    await measure('ours, createOpenapiClient', byPath, here),
    await measure('openapi-fetch', openapiFetch, here),
  ]
  for (const [name, code] of Object.entries(peers ? peerPrograms : {})) {
    rows.push(await measure(name, code, peers?.folder ?? here))
  }
  return rows
}

async function measure(program: string, contents: string, resolveDir: string): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  })
  const [file] = outputFiles
  const bytes = file?.contents ?? new Uint8Array()
  return { program, minified: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length }
}
