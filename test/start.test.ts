import { join } from 'node:path'
import { expect, test } from 'vitest'
import { splitFlags, whereDataStays } from '../scripts/start-options.mjs'

test('npm start takes the flags of the server in both forms', () => {
  const apart = ['--port', '9000', '--database', 'postgres://a:b@c/d?x=y', '--sandbox']
  expect(splitFlags(['--port=9000', '--database=postgres://a:b@c/d?x=y', '--sandbox'])).toEqual(apart)
  expect(splitFlags(apart)).toEqual(apart)
})

test('npm start says where the data stays, and no password', () => {
  expect(whereDataStays(':memory:')).toBe('The data is gone then.')
  expect(whereDataStays('postgres://a:secret@c/d')).toBe('The data stays in the database that you named.')
  expect(whereDataStays(join(process.cwd(), '.svc-admin/demo.db'))).toBe(
    `The data stays in ${join('.svc-admin', 'demo.db')}.`,
  )
})
