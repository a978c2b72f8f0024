import { describe, expect, it } from 'vitest'
import type { OpenApiDocument, Operation } from '../src/model.ts'
import { describeRoles, roleNotice } from './roles.ts'
import { readFacts } from './sources.ts'

const { roles } = readFacts()

describe('roleNotice', () => {
  it.each([
    [['ORGANIZATION_OWNER'], 'Requires the Organization Owner role.'],
    [['PROJECT_OWNER'], 'Requires the Project Owner role or higher.'],
    [['ORGANIZATION_OWNER', 'PROJECT_OWNER'], 'Requires the Organization Owner or Project Owner role.'],
    [['PROJECT_READ_ONLY', 'PROJECT_BACKUP_MANAGER'], 'Requires the Project Read Only role or higher.'],
    [
      ['PROJECT_MONITORING_ADMIN', 'PROJECT_DATABASE_ACCESS_ADMIN'],
      'Requires the Project Monitoring Admin or Project Database Access Admin role, or higher.',
    ],
    [['ANY'], 'Requires any organization or project role.'],
  ])('describes %j', (needed, text) => {
    expect(roleNotice(needed, roles)).toBe(text)
  })
})

describe('describeRoles', () => {
  const operation = (changes: Partial<Operation>): Operation => ({
    operationId: 'get',
    summary: '',
    description: 'Returns it.',
    tags: [],
    responses: {},
    'x-strength': 'stated',
    'x-source': '1',
    ...changes,
  })
  const documentWith = (get: Operation): OpenApiDocument => ({
    openapi: '3.1.0',
    info: { title: '', version: '1' },
    servers: [],
    tags: [],
    security: [],
    paths: { '/': { get } },
    components: { schemas: {}, headers: {}, parameters: {}, responses: {}, securitySchemes: {} },
  })

  it('adds the roles as the last paragraph', () => {
    const get = operation({ 'x-roles': ['ORGANIZATION_OWNER'] })
    describeRoles(documentWith(get), roles)
    expect(get.description).toBe('Returns it.\n\nRequires the Organization Owner role.')
  })

  it('leaves operations without roles unchanged', () => {
    const get = operation({})
    describeRoles(documentWith(get), roles)
    expect(get.description).toBe('Returns it.')
  })
})
