import { roles } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { createAccessList } from './access-list.ts'
import { accessAnywhere, accessTo, isRole, rolesWithin } from './roles.ts'

describe('access lists', () => {
  const list = createAccessList(['203.0.113.0/24', '198.51.100.7', '2001:db8::/32', '::1'])

  it.each(['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8:ffff::1', '::1', '::ffff:203.0.113.9'])(
    'allow %s',
    (address) => expect(list.allows(address)).toBe(true),
  )

  it.each([
    '203.0.114.0',
    '198.51.100.8',
    '2001:db9::1',
    '::2',
    '',
    'nonsense',
    '203.0.113.9.1',
    '::ffff:10.0.0.1',
  ])('reject %j', (address) => expect(list.allows(address)).toBe(false))

  it('allow all addresses if empty', () => expect(createAccessList([]).allows('192.0.2.1')).toBe(true))

  it.each(['203.0.113.0/33', '::/129', 'example.com', '203.0.113.0/', '1.2.3.4/8/9', '', '203.0.113.0/-1'])(
    'reject the invalid entry %j',
    (entry) => expect(() => createAccessList([entry])).toThrow(TypeError),
  )
})

describe('roles', () => {
  const scope = { orgId: 'o', groupId: 'g' }

  it('in an organization apply to all its projects, and roles in a project only to that project', () => {
    expect(accessTo([{ role: 'ORGANIZATION_OWNER', orgId: 'o' }], scope, ['PROJECT_OWNER'])).toBe('allowed')
    expect(accessTo([{ role: 'PROJECT_OWNER', groupId: 'g' }], scope, ['PROJECT_READ_ONLY'])).toBe('allowed')
    expect(accessTo([{ role: 'PROJECT_OWNER', groupId: 'h' }], scope, ['PROJECT_READ_ONLY'])).toBe('unknown')
    expect(accessTo([{ role: 'PROJECT_OWNER', groupId: 'g' }], { orgId: 'o' }, ['ANY'])).toBe('unknown')
  })

  it('that are insufficient are distinguished from no role', () => {
    expect(accessTo([{ role: 'ORGANIZATION_MEMBER', orgId: 'o' }], scope, ['PROJECT_READ_ONLY'])).toBe(
      'forbidden',
    )
    expect(accessTo([], scope, ['ANY'])).toBe('unknown')
    expect(accessAnywhere([], ['ANY'])).toBe('forbidden')
  })

  it('include other roles transitively', () => {
    expect(rolesWithin('ORGANIZATION_OWNER').size).toBe(Object.keys(roles).length)
    expect(isRole('PROJECT_OWNER') && !isRole('toString')).toBe(true)
  })
})
