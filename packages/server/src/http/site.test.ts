import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startServer } from '../start-server.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-admin-site-'))
  await mkdir(join(folder, 'console'))
  await writeFile(join(folder, 'index.html'), '<html>home</html>')
  await writeFile(join(folder, 'console', 'index.html'), '<html>console</html>')
})
afterEach(() => rm(folder, { recursive: true }))

async function policiesOf(...paths: string[]): Promise<(string | null)[]> {
  const server = await startServer({ docs: folder })
  try {
    const responses = await Promise.all(paths.map((path) => fetch(server.url + path)))
    return responses.map(({ headers }) => headers.get('content-security-policy'))
  } finally {
    await server.stop()
  }
}

test("documentation can't load external or inline code", async () => {
  const [home, inner] = await policiesOf('/', '/console/')
  expect(home).toMatch(/^default-src 'self';/)
  expect(inner).toBe(home)
})

test('the folder can set another policy for its pages', async () => {
  const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'"
  const headers = { 'content-security-policy': { '/console/': policy } }
  await writeFile(join(folder, 'headers.json'), JSON.stringify(headers))
  const [home, inner] = await policiesOf('/', '/console/')
  expect(home).not.toContain('unsafe')
  expect(inner).toBe(policy)
})

test('a folder with an invalid policy header is rejected at start', async () => {
  const headers = { 'content-security-policy': { '/console/': "default-src 'self'\n" } }
  await writeFile(join(folder, 'headers.json'), JSON.stringify(headers))
  await expect(startServer({ docs: folder })).rejects.toThrow(/character in header.*content-security-policy/)
})

test('browsers get an HTML 404 page, and programs a JSON error', async () => {
  await writeFile(join(folder, '404.html'), '<html>not here</html>')
  const server = await startServer({ docs: folder })
  const ask = async (path: string, accept: string, method = 'GET') => {
    const response = await fetch(server.url + path, { method, headers: { accept } })
    return [
      response.status,
      response.headers.get('content-type')?.split(';')[0],
      await response.text(),
    ] as const
  }
  try {
    const page = [404, 'text/html', '<html>not here</html>']
    expect(await ask('/operations/none/', 'text/html,*/*;q=0.8')).toEqual(page)
    for (const [path, accept, method] of [
      ['/operations/none/', 'application/json'],
      ['/api/svc/v2/none', 'text/html'],
      ['/operations/none/', 'text/html', 'POST'],
    ] as const)
      expect((await ask(path, accept, method)).slice(0, 2)).toEqual([404, 'application/json'])
  } finally {
    await server.stop()
  }
})

test('hidden files, and links to files outside the folder, are not served', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'svc-admin-outside-'))
  onTestFinished(() => rm(outside, { recursive: true }))
  await writeFile(join(outside, 'index.html'), 'secret')
  await writeFile(join(folder, '.env'), 'secret')
  await mkdir(join(folder, '.git'))
  await writeFile(join(folder, '.git', 'config'), 'secret')
  await symlink(outside, join(folder, 'linked'))
  await symlink(join(outside, 'index.html'), join(folder, 'linked.html'))
  await mkdir(join(folder, 'guide'))
  await symlink(join(outside, 'index.html'), join(folder, 'guide', 'index.html'))
  await symlink(join(folder, 'console'), join(folder, 'inside'))
  const server = await startServer({ docs: folder })
  onTestFinished(() => server.stop())
  const statusOf = async (path: string) => (await fetch(server.url + path)).status
  for (const path of [
    '/.env',
    '/.git/config',
    '/%2egit/config',
    '/linked/',
    '/linked',
    '/linked/index.html',
    '/linked.html',
    '/guide/',
    '/guide/index.html',
  ])
    expect(await statusOf(path), path).toBe(404)
  for (const path of ['/', '/console', '/console/', '/inside/']) expect(await statusOf(path), path).toBe(200)
})

test('browsers are redirected from the old paths in _redirects', async () => {
  await writeFile(join(folder, '404.html'), '<html>not here</html>')
  await writeFile(join(folder, '_redirects'), '/old/ /new/?version=1 301\n/out/ //elsewhere.example/ 301\n\n')
  const server = await startServer({ docs: folder })
  const ask = (path: string) =>
    fetch(server.url + path, { headers: { accept: 'text/html' }, redirect: 'manual' })
  try {
    for (const path of ['/old/', '/old', '/old/?a=b']) {
      const { status, headers } = await ask(path)
      expect([status, headers.get('location')], path).toEqual([301, '/new/?version=1'])
    }
    expect((await ask('/none/')).status).toBe(404)
    expect((await ask('/out/')).status).toBe(404)
  } finally {
    await server.stop()
  }
})

describe('compressed documentation', () => {
  const page = '<html>much to read</html>'.repeat(200)
  const ask = async (server: { readonly url: string }, path: string, headers: object, method = 'GET') => {
    const { hostname, port } = new URL(server.url)
    const request = httpRequest({ hostname, port, path, method, headers: { ...headers } }).end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
  }
  const serving = async () => {
    await writeFile(join(folder, 'page.html'), page)
    await writeFile(join(folder, 'picture.png'), page)
    await writeFile(join(folder, '404.html'), page)
    const server = await startServer({ docs: folder })
    onTestFinished(() => server.stop())
    return server
  }

  test('is sent only to clients that accept it, with Vary for caches', async () => {
    const server = await serving()
    const zipped = await ask(server, '/page.html', { 'accept-encoding': 'br, gzip;q=0.8' })
    expect(gunzipSync(zipped.body).toString()).toBe(page)
    expect(zipped.body.length).toBeLessThan(page.length / 4)
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(zipped.headers['content-length']).toBeUndefined()
    const refusals = ['identity', 'gzip;q=0, *', 'gzip;q=2', 'br;q=1', 'gzip, GZIP;q=0.0']
    for (const accepted of [{}, ...refusals.map((each) => ({ 'accept-encoding': each }))]) {
      const plain = await ask(server, '/page.html', accepted)
      expect(plain.body.toString()).toBe(page)
      expect(plain.headers).toMatchObject({ 'content-length': String(page.length), vary: 'Accept-Encoding' })
      expect(plain.headers['content-encoding']).toBeUndefined()
    }
  })

  test('applies to the 404 page, which has the usual headers', async () => {
    const server = await serving()
    const html = { accept: 'text/html' }
    const zipped = await ask(server, '/none/', { ...html, 'accept-encoding': 'gzip' })
    expect([zipped.status, gunzipSync(zipped.body).toString()]).toEqual([404, page])
    expect(zipped.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(zipped.body.length),
    })
    const plain = await ask(server, '/none/', { ...html, 'accept-encoding': 'gzip;q=0' })
    expect([plain.status, plain.body.toString(), plain.headers['content-encoding']]).toEqual([
      404,
      page,
      undefined,
    ])
    const there = await ask(server, '/page.html', html)
    const everywhere = [
      'content-security-policy',
      'content-type',
      'referrer-policy',
      'vary',
      'x-content-type-options',
    ]
    for (const { headers } of [zipped, plain])
      for (const name of everywhere) expect(headers[name], name).toBe(there.headers[name])
  })

  test('has a validator for both representations, and the same headers for HEAD', async () => {
    const server = await serving()
    const zip = { 'accept-encoding': 'gzip' }
    const { headers } = await ask(server, '/page.html', zip)
    expect(headers.etag).toMatch(/^W\//)
    expect((await ask(server, '/page.html', {})).headers.etag).toBe(headers.etag)
    const known = await ask(server, '/page.html', { ...zip, 'if-none-match': headers.etag })
    expect([known.status, known.headers.vary, known.body.length]).toEqual([304, 'Accept-Encoding', 0])
    const head = await ask(server, '/page.html', zip, 'HEAD')
    const lasting = ({
      date,
      'x-request-id': id,
      'transfer-encoding': coding,
      ...rest
    }: IncomingHttpHeaders) => rest
    expect(lasting(head.headers)).toEqual(lasting(headers))
  })

  test("doesn't apply to partial responses, images, or short files", async () => {
    const server = await serving()
    const zip = { 'accept-encoding': 'gzip' }
    const part = await ask(server, '/page.html', { ...zip, range: 'bytes=0-1999' })
    expect([part.status, part.body.toString()]).toEqual([206, page.slice(0, 2000)])
    for (const { headers } of [part, await ask(server, '/picture.png', zip), await ask(server, '/', zip)])
      expect(headers['content-encoding']).toBeUndefined()
  })
})
