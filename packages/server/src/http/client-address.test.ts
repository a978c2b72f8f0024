import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { createClientAddress } from './client-address.ts'

const [proxy, other] = ['10.0.0.1', '10.9.9.9']

function addressOf(headers: Readonly<Record<string, string>>, remoteAddress = proxy): string {
  const request: IncomingMessage = Object.create({ headers, socket: { remoteAddress } })
  return createClientAddress('10.0.0.0/8, 2001:db8::/32')(request)
}

describe('the address of a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:470::1]:4711', '2001:470::1'],
    ['2001:470::1', '2001:470::1'],
    // The client has forged the first address.
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.1,203.0.113.7, 10.2.3.4', '203.0.113.7'],
    ['10.2.3.4', '10.2.3.4'],
    ['203.0.113.7, nonsense', proxy],
    ['203.0.113.7, nonsense, 10.2.3.4', '10.2.3.4'],
    ['', proxy],
  ])('behind a trusted proxy with X-Forwarded-For %j is %s', (header, address) => {
    expect(addressOf({ 'x-forwarded-for': header })).toBe(address)
  })

  it.each([
    ['for=203.0.113.7', '203.0.113.7'],
    ['for="203.0.113.7:4711";proto=https;by=10.0.0.1', '203.0.113.7'],
    ['proto=https;For="[2001:470::1]:4711"', '2001:470::1'],
    ['for=198.51.100.1, for=203.0.113.7, for=10.2.3.4', '203.0.113.7'],
    ['for="198.51.100.1, for=198.51.100.2", for=203.0.113.7', '203.0.113.7'],
    ['for=203.0.113.7, for=unknown', proxy],
    ['for=_hidden', proxy],
    ['by=203.0.113.7', proxy],
  ])('behind a trusted proxy with Forwarded %j is %s', (header, address) => {
    expect(addressOf({ forwarded: header })).toBe(address)
  })

  it('ignores the headers of other senders', () => {
    const headers = { 'x-forwarded-for': other, forwarded: `for=${other}` }
    expect(addressOf(headers, '203.0.113.7')).toBe('203.0.113.7')
    expect(addressOf(headers, '::ffff:203.0.113.7')).toBe('::ffff:203.0.113.7')
    expect(addressOf({ 'x-forwarded-for': '203.0.113.7' }, '::ffff:10.0.0.1')).toBe('203.0.113.7')
  })

  it('is not chosen from headers that contradict each other', () => {
    const [same, different] = ['for=203.0.113.7', 'for=203.0.113.8']
    expect(addressOf({ 'x-forwarded-for': '203.0.113.7', forwarded: same })).toBe('203.0.113.7')
    expect(() => addressOf({ 'x-forwarded-for': '203.0.113.7', forwarded: different })).toThrow(
      'The headers Forwarded and X-Forwarded-For contain different client addresses.',
    )
  })
})

describe('an access list behind a proxy', () => {
  const path = `/groups/${projectId}/alerts`
  const forwarded = (address: string) => ({ as: 'netlimit', headers: { 'x-forwarded-for': address } })

  it('uses the forwarded address if the proxy is trusted', async () => {
    const lines: string[] = []
    const server = await startChecked({
      trustedProxies: '127.0.0.1',
      logLevel: 'info',
      writeLog: (text) => void lines.push(text),
    })
    expect((await server.ask(path, forwarded('203.0.113.7'))).status).toBe(200)
    const refused = await server.ask(path, forwarded('198.51.100.1'))
    expect([refused.status, refused.at('errorCode')]).toEqual([403, 'IP_NOT_ALLOWED'])
    expect(refused.textAt('detail')).toContain('198.51.100.1')
    await server.stop()
    expect(lines.join('')).toContain('"address":"198.51.100.1"')
  })

  it('rejects headers that contradict each other', async () => {
    const server = await startChecked({ trustedProxies: '127.0.0.1' })
    const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.8' }
    const refused = await server.ask(path, { as: 'netlimit', headers })
    expect([refused.status, refused.at('parameters')]).toEqual([400, ['Forwarded', 'X-Forwarded-For']])
  })

  it('ignores the header by default', async () => {
    const server = await startChecked()
    expect((await server.ask(path, forwarded('203.0.113.7'))).status).toBe(403)
  })
})
