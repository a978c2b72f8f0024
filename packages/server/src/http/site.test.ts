import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
    const answers = await Promise.all(paths.map((path) => fetch(server.url + path)))
    return answers.map(({ headers }) => headers.get('content-security-policy'))
  } finally {
    await server.stop()
  }
}

test('documentation may load nothing from elsewhere and nothing inline', async () => {
  const [home, inner] = await policiesOf('/', '/console/')
  expect(home).toMatch(/^default-src 'self';/)
  expect(inner).toBe(home)
})

test('the folder may ask for another policy where its pages need one', async () => {
  const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'"
  const headers = { 'content-security-policy': { '/console/': policy } }
  await writeFile(join(folder, 'headers.json'), JSON.stringify(headers))
  const [home, inner] = await policiesOf('/', '/console/')
  expect(home).not.toContain('unsafe')
  expect(inner).toBe(policy)
})

test('a folder that asks for what no header can hold is refused at start', async () => {
  const headers = { 'content-security-policy': { '/console/': "default-src 'self'\n" } }
  await writeFile(join(folder, 'headers.json'), JSON.stringify(headers))
  await expect(startServer({ docs: folder })).rejects.toThrow(/character in header.*content-security-policy/)
})

test('who looks for a page that is not there is shown one, and a program is told as everywhere', async () => {
  await writeFile(join(folder, '404.html'), '<html>not here</html>')
  const server = await startServer({ docs: folder })
  const ask = async (path: string, accept: string, method = 'GET') => {
    const answer = await fetch(server.url + path, { method, headers: { accept } })
    return [answer.status, answer.headers.get('content-type')?.split(';')[0], await answer.text()] as const
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
