import { expect, test } from 'vitest'
import { dated } from '../../test/context-over.ts'
import { demoTarget } from '../target/demo.ts'
import { allowedHolder } from './holders.ts'

const { roles, ...target } = demoTarget({ baseUrl: 'http://127.0.0.1' })

test('prefers a role that the operation lists to a role that includes it', () => {
  const cell = dated('getAuditingConfig')
  expect(cell.row.roles).not.toContain('ORGANIZATION_OWNER')
  const [listed] = cell.row.roles.filter((role) => role !== 'ANY')
  expect(allowedHolder({ ...target, roles }, cell)).toBe(listed && roles[listed])
})

test('uses a role that includes a listed role if the target file has no other', () => {
  const owner = { ORGANIZATION_OWNER: roles.ORGANIZATION_OWNER ?? {} }
  expect(allowedHolder({ ...target, roles: owner }, dated('getAuditingConfig'))).toBe(
    owner.ORGANIZATION_OWNER,
  )
})
