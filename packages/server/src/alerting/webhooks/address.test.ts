import { describe, expect, it } from 'vitest'
import { mayConnect } from './address.ts'

const inside = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.0.9',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'localhost',
  '',
  '127.1',
]

describe('an address allowed for webhooks', () => {
  it.each(inside)('is not %s', (address) => {
    expect(mayConnect(address, false)).toBe(false)
  })

  it.each([
    '93.184.215.14',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
  ])('is %s', (address) => {
    expect(mayConnect(address, false)).toBe(true)
  })

  it('includes this machine if enabled, but no other private address', () => {
    const allowed = inside.filter((address) => mayConnect(address, true))
    expect(allowed).toEqual(['127.0.0.1', '127.255.0.9', '::1'])
  })
})
