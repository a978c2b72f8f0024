import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { advance, alerts, configure, happen, inAnHour, sentFor } from '../../../test/alerts.ts'
import { type CheckedServer, startChecked } from '../../../test/checked-server.ts'

describe('an acknowledgement', () => {
  async function raised(): Promise<{ server: CheckedServer; path: string; id: string }> {
    const server = await startChecked()
    await configure(server)
    const id = await happen(server)
    return { server, path: `${alerts}/${id}`, id }
  }
  const json = { acknowledgedUntil: inAnHour, acknowledgementComment: 'seen' }

  it('shows its end, author and comment, and otherwise changes only updated', async () => {
    const { server, path } = await raised()
    const before = (await server.ask(path)).body
    await server.control('PUT', '/clock', { advanceSeconds: 60 })
    const after = await server.ask(path, { method: 'PATCH', json })
    expect(after.body).toEqual({
      ...Object(before),
      acknowledgedUntil: '2026-03-01T13:00:00Z',
      acknowledgementComment: 'seen',
      acknowledgingUsername: 'orgowner@svc.example',
      updated: '2026-03-01T12:01:00Z',
    })
    expect((await server.ask(path)).body).toEqual(after.body)
  })

  it.each([
    ['a time in the past', { acknowledgedUntil: '2020-01-01T00:00:00Z' }],
    ['the flag', { unacknowledgeAlert: true }],
    ['the flag, regardless of the time', { unacknowledgeAlert: true, acknowledgedUntil: inAnHour }],
  ])('is removed by %s', async (_, body) => {
    const { server, path } = await raised()
    await server.ask(path, { method: 'PATCH', json })
    const after = await server.ask(path, { method: 'PATCH', json: body })
    for (const name of ['acknowledgedUntil', 'acknowledgementComment', 'acknowledgingUsername']) {
      expect(after.at(name)).toBeUndefined()
    }
  })

  it("doesn't change when neither the flag nor a time is sent, from 2024-05-30 on", async () => {
    const { server, path } = await raised()
    const before = await server.ask(path, { method: 'PATCH', json })
    expect((await server.ask(path, { method: 'PATCH', json: {} })).body).toEqual(before.body)
  })

  it('accepts a comment alone while it exists, and keeps it when it is extended without one', async () => {
    const { server, path } = await raised()
    const comment = { method: 'PATCH', json: { acknowledgementComment: 'two' } }
    const before = await server.ask(path)
    expect((await server.ask(path, comment)).body).toEqual(before.body)
    const first = await server.ask(path, { method: 'PATCH', json })
    expect((await server.ask(path, comment)).body).toEqual({
      ...Object(first.body),
      acknowledgementComment: 'two',
    })
    const longer = { acknowledgedUntil: '2026-03-01T15:00:00Z' }
    const after = await server.ask(path, { method: 'PATCH', json: longer })
    expect(after.body).toMatchObject({ ...longer, acknowledgementComment: 'two' })
  })

  it.each([
    ['another caller replaces it', 0, 'projownr'],
    ['it has expired', 61, 'orgowner'],
  ])('starts without the previous comment if %s', async (_, minutes, as) => {
    const { server, path } = await raised()
    await server.ask(path, { method: 'PATCH', json })
    await advance(server, minutes)
    const longer = { acknowledgedUntil: '2026-03-01T15:00:00Z' }
    const after = await server.ask(path, { method: 'PATCH', json: longer, as })
    expect(after.body).toMatchObject({ ...longer, acknowledgingUsername: `${as}@svc.example` })
    expect(after.at('acknowledgementComment')).toBeUndefined()
    const said = { ...longer, acknowledgementComment: 'mine' }
    expect((await server.ask(path, { method: 'PATCH', json: said, as })).body).toMatchObject(said)
  })

  it.each([
    ['at its interval', { intervalMin: 10 }],
    ['once', {}],
  ])('sends pending notifications immediately when it is %s', async (_, often) => {
    const server = await startChecked()
    await configure(server, { notifications: [{ typeName: 'EMAIL', delayMin: 2, ...often }] })
    const id = await happen(server)
    const path = `${alerts}/${id}`
    await server.ask(path, { method: 'PATCH', json })
    await advance(server, 22)
    const after = await server.ask(path, { method: 'PATCH', json: { unacknowledgeAlert: true } })
    expect(after.at('lastNotified')).toBe('2026-03-01T12:22:00Z')
    expect(await sentFor(server, id)).toMatchObject([{ sent: '2026-03-01T12:22:00Z' }])
    expect((await server.ask(path)).body).toEqual(after.body)
  })

  it('is removed by a body without a time in v1.0 and before 2024-05-30', async () => {
    const { server, path, id } = await raised()
    const older = 'application/vnd.svc.2023-01-01+json'
    await server.ask(path, { method: 'PATCH', json })
    const dated = await server.ask(path, { method: 'PATCH', json: {}, accept: older, contentType: older })
    expect([dated.status, dated.at('acknowledgedUntil')]).toEqual([200, undefined])
    await server.ask(path, { method: 'PATCH', json })
    const plain = await server.askV1(`${alerts}/${id}`, { method: 'PATCH', json: {} })
    expect([plain.status, plain.at('acknowledgedUntil')]).toEqual([200, undefined])
  })

  it('ignores the flag before 2024-05-30', async () => {
    const { server, path } = await raised()
    const body = { method: 'PATCH', json: { unacknowledgeAlert: true } }
    const refused = await server.askV1(path, body)
    expect([refused.status, refused.at('parameters')]).toEqual([400, ['/unacknowledgeAlert']])
  })

  it.each([
    ['2126-03-01T12:00:00Z', 'a hundred years ahead, lasts indefinitely', 0],
    ['2125-03-01T12:00:00Z', 'a year less, lasts until then', 1],
  ])('until %s, %s', async (until, _, sent) => {
    const { server, path, id } = await raised()
    const body = { method: 'PATCH', json: { acknowledgedUntil: until } }
    expect((await server.ask(path, body)).at('acknowledgedUntil')).toBe(until)
    await server.control('PUT', '/clock', { now: '2127-03-01T12:00:00Z', rate: 0 })
    expect(Math.min((await sentFor(server, id)).length, 1)).toBe(sent)
  })

  it('ends in the year 9999 at the latest, regardless of the offset', async () => {
    const { server, path } = await raised()
    const late = { acknowledgedUntil: '9999-12-31T23:59:59-23:59' }
    const response = await server.ask(path, { method: 'PATCH', json: late })
    expect([response.status, response.at('acknowledgedUntil')]).toEqual([200, '9999-12-31T23:59:59Z'])
  })

  it('accepts a comment of the maximum length, but not a longer one', async () => {
    const { server, path } = await raised()
    const commented = (length: number) =>
      server.ask(path, { method: 'PATCH', json: { ...json, acknowledgementComment: 'ä'.repeat(length) } })
    const { maxLength } = limits.acknowledgementComment
    expect((await commented(maxLength)).status).toBe(200)
    expect((await commented(maxLength + 1)).body).toMatchObject({ parameters: ['/acknowledgementComment'] })
  })
})
