import { expect, it } from 'vitest'
import { kindOfDatabase } from './database-address.ts'

it.each([
  ['data/server.db', 'sqlite'],
  [':memory:', 'sqlite'],
  ['C:\\data\\server.db', 'sqlite'],
  ['./file:1.db', 'sqlite'],
  ['postgres://me:pw@host/db', 'postgres'],
  ['postgresql:///db?host=/run/postgresql', 'postgres'],
])('%s is of %s', (address, kind) => {
  expect(kindOfDatabase(address)).toBe(kind)
})

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
])('%s is none, and is not shown', (address) => {
  expect(() => kindOfDatabase(address)).toThrow(/^must be a file, :memory:, or postgres:\/\/user@host\/name/)
  expect(() => kindOfDatabase(address)).not.toThrow(/hidden|oracle/)
})
