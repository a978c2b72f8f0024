import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CheckedServer, projectId, startChecked } from '../../test/checked-server.ts'

const help = (url: string) => `<${url}>; rel="help"`

describe('the link from an error to its page', () => {
  const linkOf = async (server: CheckedServer, path: string) =>
    (await fetch(server.url + path, { headers: { accept: 'application/json' } })).headers.get('link')

  it('leads to the documentation that the server serves', async () => {
    const docs = await mkdtemp(join(tmpdir(), 'svc-admin-help-'))
    onTestFinished(() => rm(docs, { recursive: true }))
    const server = await startChecked({ docs })
    const alerts = `/api/svc/v2/groups/${projectId}/alerts`
    expect(await linkOf(server, alerts)).toBe(help(`${server.url}/errors/UNAUTHORIZED`))
    expect(await linkOf(server, '/api/svc/v2/none')).toBe(help(`${server.url}/errors/RESOURCE_NOT_FOUND`))
    const token = await fetch(`${server.url}/api/oauth/token`, { method: 'POST' })
    expect(token.headers.get('link')).toMatch(/\/errors\/invalid_\w+>; rel="help"$/)
  })

  it('leads to the documentation elsewhere that an option names', async () => {
    const server = await startChecked({ docsUrl: 'https://docs.example.com/svc/' })
    const expected = help('https://docs.example.com/svc/errors/RESOURCE_NOT_FOUND')
    expect(await linkOf(server, '/none')).toBe(expected)
  })

  it('stands beside the link to the successor of a deprecated operation', async () => {
    const server = await startChecked({ docsUrl: 'https://docs.example.com' })
    const path = `/groups/${projectId}/serverless/none/backup/snapshots`
    const { status, headers } = await server.ask(path)
    expect(status).toBe(404)
    expect(headers.get('link')).toMatch(
      /; rel="successor-version", <https:\/\/docs\.example\.com\/errors\/RESOURCE_NOT_FOUND>; rel="help"$/,
    )
  })

  it('is absent without documentation, and from successes', async () => {
    const plain = await startChecked()
    expect(await linkOf(plain, '/none')).toBeNull()
    const server = await startChecked({ docsUrl: 'https://docs.example.com' })
    expect((await server.ask(`/groups/${projectId}/alerts`)).headers.get('link')).toBeNull()
  })
})
