import { describe, expect, it } from 'vitest'
import { maskAddress, withoutSecrets } from './mask-address.ts'

describe('an address', () => {
  it.each([
    'secret',
    '12',
    '12/SeCrEt',
    '5432/',
    'se/cr/et',
    'se@cr@et',
    'a:b',
    ':',
    'a?b',
    'a?b=c&d',
    'a#b',
    '1#2',
    '#',
    '?',
    'p%40ss%2Fw%3Frd',
    '100%',
    '1/2?3#4@5:6',
    'two\nlines',
  ])('is printed without the password %j', (password) => {
    for (const user of ['me', '', 'me@corp', 'm/e']) {
      for (const rest of ['host:5432/db', '127.0.0.1/db?sslmode=off', '[::1]:5432/db', 'host']) {
        expect(maskAddress(`postgres://${user}:${password}@${rest}`)).toBe(`postgres://${user}:***@${rest}`)
      }
    }
  })

  it.each([
    ['postgres://host/db?p%61ssword=secret&x=1', 'postgres://host/db?p%61ssword=***&x=1'],
    ['postgres://host/db?password=a:b@c', 'postgres://host/db?password=***'],
    ['postgres+tls://me:secret@host/db', 'postgres+tls://me:***@host/db'],
    ['postgres://me@host:5432/db', 'postgres://me@host:5432/db'],
    ['postgres://host:5432/db?sslmode=off', 'postgres://host:5432/db?sslmode=off'],
    ['data/server.db', 'data/server.db'],
  ])('%s is printed as %s', (address, printed) => {
    expect(maskAddress(address)).toBe(printed)
  })
})

describe('a driver message', () => {
  it.each([
    ['postgres://user:12/SeCrEt@127.0.0.1:1/db', 'database "SeCrEt@127.0.0.1:1/db" does not exist'],
    ['postgres://me:a@SeCrEt/b@host/db', 'getaddrinfo ENOTFOUND SeCrEt'],
    ['postgres://me:Se%43rEt@host/db', 'no user with SeCrEt'],
    ['postgres://me:SECRET@host/db', 'no user with SeCrEt'],
    ['postgres://host/db?password=SeCrEt', 'no user with SeCrEt'],
  ])('for %s contains no part of the password', (address, said) => {
    expect(withoutSecrets(said, address)).toBe(said.replace('SeCrEt', '***'))
  })

  it('stays unchanged for an address without a password', () => {
    const said = 'connect ECONNREFUSED 127.0.0.1:1'
    expect(withoutSecrets(said, 'postgres://me@127.0.0.1:1/db')).toBe(said)
    expect(withoutSecrets(said, 'data/server.db')).toBe(said)
  })
})
