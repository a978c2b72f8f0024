import { limits } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { contextOver, dated, outcomeIn, seeding } from '../../../test/context-over.ts'
import catalogue from './catalogue.ts'
import links from './links.ts'

test.each([
  [
    'several query parameters',
    'listAlerts',
    new RegExp(`pageNum=0&itemsPerPage=${limits.itemsPerPage.maximum + 1}$`),
  ],
  ['several query parameters', 'getAlertConfig', /envelope=neither&pretty=neither$/],
  ['several path parameters', 'getAlertConfig', /\/groups\/!\/alertConfigs\/!$/],
])('a request has %s that are invalid: %s', async (label, operation, expected) => {
  const paths: string[] = []
  const { context } = seeding(({ method, path }) => {
    paths.push(path)
    return method === 'POST' ? [200, { id: 'b'.repeat(24) }] : [400, { errorCode: 'VALIDATION_ERROR' }]
  })
  const rule = catalogue['errors.body-fits-schema']
  expect(await outcomeIn(context, dated(operation), rule, label)).toBe('passed')
  expect(paths.at(-1)).toMatch(expected)
})

test('a request has several fields that are invalid', async () => {
  const bodies: (string | undefined)[] = []
  const { context } = contextOver(({ body }) => {
    bodies.push(body)
    return [200]
  })
  const rule = catalogue['errors.body-fits-schema']
  expect(await outcomeIn(context, dated('updateAuditingConfig'), rule, 'several fields')).toBe('decided')
  expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({ auditFilter: [[[]]], enabled: [[[]]] })
})

test('reads a list without items', async () => {
  const paths: string[] = []
  const { context, rows } = seeding(({ path }) => {
    paths.push(path)
    return [200, { links: [], results: [], totalCount: 0 }]
  })
  const rule = links['resources.links-array']
  expect(await outcomeIn(context, dated('listExportBuckets'), rule, 'list without items')).toBe('passed')
  expect(rows.has('exportBuckets')).toBe(false)
  expect(paths.at(-1)).toContain(rows.get('projects')?.at(-1)?.id)
})
