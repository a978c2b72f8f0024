import { expect, it } from 'vitest'
import { kindOfDatabase } from './database-address.ts'

it.each([
  ['data/server.db', 'sqlite'],
  [':memory:', 'sqlite'],
  ['.svc-admin/server.db', 'sqlite'],
  ['data//server.db', 'sqlite'],
  ['data/12:30.db', 'sqlite'],
  ['./file:1.db', 'sqlite'],
  ['../u:1@home/server.db', 'sqlite'],
  ['/data/http://copied/server.db', 'sqlite'],
  ['postgres://me:pw@host/db', 'postgres'],
  ['postgresql:///db?host=/run/postgresql', 'postgres'],
])('recognizes %s as %s', (address, kind) => {
  expect(kindOfDatabase(address)).toBe(kind)
})

it.each(['C:\\data\\server.db', 'c:/data/server.db'])(
  'recognizes %s as a file only on Windows',
  (address) => {
    expect(kindOfDatabase(address, 'win32')).toBe('sqlite')
    expect(() => kindOfDatabase(address, 'linux')).toThrow(/must be a file/)
  },
)

it.each([
  '"postgres://me:hidden@host/db"',
  "'postgres://me:hidden@host/db'",
  ' postgres://me:hidden@host/db',
  'postgres://me:hidden@host/db\n',
  'jdbc:postgresql://host/db?user=me&password=hidden',
  'postgres:/me:hidden@host/db',
  'postgresql:me:hidden@host/db',
  'postgres+tls://me:hidden@host/db',
  'POSTGRES://me:hidden@host/db',
  'me:hidden@host:5432/db',
  'data/postgres://me:hidden@host/db',
  'oracle://host/db',
  'u:hidden@host/db',
  'postgres//u:hidden@host/db',
  'postgres//host/db',
  '//u:hidden@host/db',
  '//host/db',
  'me@host/db',
  'host=h password=hidden',
  ':memory',
  'file::memory:',
])('rejects %s without printing it', (address) => {
  expect(() => kindOfDatabase(address)).toThrow(/^must be a file, :memory:, or postgres:\/\/user@host\/name/)
  expect(() => kindOfDatabase(address)).not.toThrow(/hidden|oracle/)
})
