import { describe, expect, it } from 'vitest'
import { newest, projectId, startChecked } from '../../test/checked-server.ts'
import { rawRequest } from '../../test/raw-request.ts'
import { pathOf } from '../world/request-log.ts'
import { originForm } from './call.ts'

const alerts = `/api/svc/v2/groups/${projectId}/alerts`

describe('a target in absolute form', () => {
  it.each([
    ['http://x/api/a?b', '/api/a?b'],
    ['HTTP://x/api/a', '/api/a'],
    ['https://u:hush@x:1/api/a', '/api/a'],
    ['http://x?/api/a', '/?/api/a'],
    ['http://x', '/'],
    ['ftp://x/api/a', 'ftp://x/api/a'],
    ['/http://x/api', '/http://x/api'],
    ['*', '*'],
  ])('%s is %s', (target, local) => expect(originForm(target)).toBe(local))

  it.each([
    ['/a?hush', '/a'],
    ['http://u:hush@x/a?hush', '/a'],
    ['ftp://u:hush@x/a', '/a'],
    ['http://u:hush@x?hush', ''],
    ['*', '*'],
  ])('%s has the parts %j', (target, told) => expect(pathOf(target)).toBe(told))

  it('is handled like its path, also in a world, and is logged without its authority', async () => {
    let written = ''
    const write = (text: string) => {
      written += text
    }
    const server = await startChecked({ logLevel: 'info', writeLog: write })
    const { id } = await server.createWorld()
    const statusOf = async (target: string) => {
      const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nAccept: ${newest}\r\n\r\n`
      return (await rawRequest(server.url, head)).status
    }
    expect(await statusOf(`http://u:hush@x${alerts}`)).toBe(401)
    expect(await statusOf(`HTTP://x/worlds/${id}${alerts}`)).toBe(401)
    expect(await statusOf(`http://x/worlds/nowhere${alerts}`)).toBe(404)
    expect(await statusOf(`http://u:hush@x?${alerts}`)).toBe(404)
    expect(await statusOf(`ftp://u:hush@x${alerts}`)).toBe(404)
    const { text } = await server.control('GET', '/requests')
    await server.stop()
    expect(text).toContain(`"path":"${alerts}"`)
    expect(written).toContain(`"path":"${alerts}"`)
    expect(text + written).not.toContain('hush')
  })
})
