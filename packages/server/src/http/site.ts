import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { validateHeaderValue } from 'node:http'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { compressFiles, createTextSender } from './compress.ts'

/** The content security policy for pages that have no inline code and load files only from this server. */
const strictPolicy = "default-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"

/** Content security policies, keyed by path prefix. */
type Policies = Readonly<Record<string, string>>

/**
 * Reads additional policies from the folder's `headers.json`, because some third-party pages need inline styles.
 *
 * @throws {Error} if a header value is invalid. Without this check, the error wouldn't occur until a client requests a
 *   page.
 */
async function policiesOf(folder: string): Promise<Policies> {
  const text = await readFile(join(folder, 'headers.json'), 'utf8').catch(() => '{}')
  const configured: { 'content-security-policy'?: Policies } = JSON.parse(text)
  const policies = { '/': strictPolicy, ...configured['content-security-policy'] }
  for (const policy of Object.values(policies)) validateHeaderValue('content-security-policy', policy)
  return policies
}

/** Returns the policy of the longest path prefix that matches the path. */
function policyFor(policies: Policies, path: string): string {
  const prefixes = Object.keys(policies).filter((prefix) => path.startsWith(prefix))
  const longest = prefixes.sort((a, b) => b.length - a.length)[0] ?? '/'
  return policies[longest] ?? strictPolicy
}

/** Returns the security headers for every page. */
const headersUnder = (policy: string): Readonly<Record<string, string>> => ({
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Encoding',
})

/**
 * Serves static documentation from a folder at `/`. Hidden files and symbolic links to files outside the folder aren't
 * served.
 */
export async function addDocumentation(app: FastifyInstance, docs: string): Promise<void> {
  const folder = resolve(docs)
  const root = realpathSync(folder)
  const policies = await policiesOf(folder)
  const html = await readFile(join(folder, '404.html'), 'utf8').catch(() => undefined)
  if (html !== undefined)
    app.missingPage = missingPageOf(html, policyFor(policies, '/404.html'), await redirectsOf(folder))
  // Load this module on first use, because most servers don't serve documentation.
  const { default: fastifyStatic } = await import('@fastify/static')
  await app.register(async (site) => {
    // Return 404 if a file can't be served, for example because its path is outside the folder.
    site.setErrorHandler((_error, _request, reply) => reply.callNotFound())
    compressFiles(site)
    await site.register(fastifyStatic, {
      root: folder,
      dotfiles: 'ignore',
      allowedPath: (path) => isInside(root, join(folder, path.endsWith('/') ? `${path}index.html` : path)),
      setHeaders: (response, file) => {
        const path = `/${relative(folder, file).split(sep).join('/')}`
        const headers = headersUnder(policyFor(policies, path))
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      },
    })
  })
}

/**
 * Returns whether a file is in a folder.
 *
 * @param root The folder's path without symbolic links.
 */
function isInside(root: string, file: string): boolean {
  try {
    const path = relative(root, realpathSync(file))
    return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
  } catch {
    // A file that doesn't exist has no real path.
    return false
  }
}

/**
 * Reads redirects from a `_redirects` file, whose format is common among static site hosts. Each line contains an old
 * path and a redirect target.
 */
async function redirectsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(folder, '_redirects'), 'utf8').catch(() => '')
  return new Map(
    text.split('\n').flatMap((line) => {
      const [from, to] = line.split(' ')
      return from && to && /^\/(?!\/)/.test(to) ? [[from, to] as const] : []
    }),
  )
}

function missingPageOf(
  html: string,
  policy: string,
  redirects: ReadonlyMap<string, string>,
): FastifyInstance['missingPage'] {
  const [send, headers] = [createTextSender(html), headersUnder(policy)]
  return (request, reply) => {
    const [path = ''] = request.url.split('?')
    const target = redirects.get(path) ?? redirects.get(`${path}/`)
    if (target !== undefined) return reply.redirect(target, 301)
    return send(request, reply.type('text/html; charset=utf-8').headers({ ...headers }))
  }
}
