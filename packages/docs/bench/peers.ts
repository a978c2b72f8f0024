import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const lockText = readFileSync(new URL('peers.lock.json', import.meta.url), 'utf8')
const lock: Readonly<Record<string, { version: string; integrity: string }>> = JSON.parse(lockText)

/**
 * Downloads the packages in `peers.lock.json`. These packages contain complete bundles, so their 800 dependencies
 * aren't downloaded.
 *
 * @returns The folder that contains each package as `<name>/`.
 * @throws Error if a package doesn't match the lock file.
 */
export async function fetchPeers(): Promise<string> {
  const digest = createHash('sha256').update(lockText).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `svc-admin-docs-peers-${digest}`)
  if (existsSync(folder)) return folder
  const work = mkdtempSync(`${folder}-`)
  try {
    for (const [name, { version, integrity }] of Object.entries(lock)) {
      const { stdout } = await run('npm', ['pack', `${name}@${version}`, '--json', '--silent'], { cwd: work })
      const [{ filename }]: [{ filename: string }] = JSON.parse(stdout)
      const file = join(work, filename)
      const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
      if (found !== integrity) throw new Error(`${name}@${version} is ${found}, and not ${integrity}.`)
      mkdirSync(join(work, name), { recursive: true })
      await run('tar', ['-xzf', file, '-C', join(work, name), '--strip-components=1'])
      rmSync(file)
    }
    renameSync(work, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return folder
}

/** Another renderer, with its pages for a document and for a single operation. */
export interface Contender {
  readonly name: string
  /** The path of the renderer's first page on the bench server. */
  readonly first: string
  /** The path of the page for the operation. All renderers show the same operation. */
  readonly deep: string
  /** An element that exists when the first page is usable. */
  readonly ready: string
  /** Words that are visible only when the renderer shows the operation. */
  readonly shown: string
}

export interface Subject {
  readonly version: string
  readonly operationId: string
  readonly tag: string
  /** Words from the operation's description. */
  readonly words: string
}

/**
 * Returns the other renderers' pages, by path. The renderers' packages are served under `/peers/`, and the documents
 * under `/openapi/`.
 */
export function peerPages({ version }: Subject): Readonly<Record<string, string>> {
  const document = `/openapi/${version}.json`
  const page = (head: string, body: string) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>x</title>${head}</head><body>${body}</body></html>`
  const scalar = JSON.stringify({ url: document, withDefaultFonts: false, telemetry: false })
  return {
    '/bench/empty/': page('', '<h1>Nothing</h1>'),
    '/bench/scalar/': page(
      '',
      `<div id="app"></div><script src="/peers/@scalar/api-reference/dist/browser/standalone.js"></script><script>Scalar.createApiReference('#app', ${scalar})</script>`,
    ),
    '/bench/swagger/': page(
      '<link rel="stylesheet" href="/peers/swagger-ui-dist/swagger-ui.css">',
      `<div id="ui"></div><script src="/peers/swagger-ui-dist/swagger-ui-bundle.js"></script><script>SwaggerUIBundle({url:'${document}',dom_id:'#ui',deepLinking:true,docExpansion:'list'})</script>`,
    ),
    '/bench/elements/': page(
      '<link rel="stylesheet" href="/peers/@stoplight/elements/styles.min.css"><script src="/peers/@stoplight/elements/web-components.min.js"></script>',
      `<elements-api apiDescriptionUrl="${document}" router="hash"></elements-api>`,
    ),
  }
}

const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')

export function contenders({ version, operationId, tag, words: shown }: Subject): Contender[] {
  return [
    {
      name: 'our pages',
      first: `/${version}/`,
      deep: `/${version}/operations/${operationId}/`,
      ready: '.operations a',
      shown,
    },
    {
      name: 'Scalar',
      first: '/bench/scalar/',
      deep: `/bench/scalar/#tag/${slug(tag)}/GET/groups/{groupId}/alerts/{alertId}`,
      ready: 'h1',
      shown,
    },
    {
      name: 'Swagger UI',
      first: '/bench/swagger/',
      deep: `/bench/swagger/#/${encodeURIComponent(tag)}/${operationId}`,
      ready: '.opblock-summary',
      shown,
    },
    {
      name: 'Elements',
      first: '/bench/elements/',
      deep: `/bench/elements/#/operations/${operationId}`,
      ready: 'elements-api a',
      shown,
    },
    // An empty page shows how fast the browser itself is on this machine.
    { name: 'an empty page', first: '/bench/empty/', deep: '/bench/empty/', ready: 'h1', shown: 'Nothing' },
  ]
}
