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
