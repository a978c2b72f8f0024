import {
  type ErrorCode,
  errorCodes,
  type OperationRow,
  operations,
  requirementIds,
  states,
  versions,
} from '@svc-admin/types'
import type { components as First } from '@svc-admin/types/2023-01-01'
import type { components as Newest } from '@svc-admin/types/2025-03-12'
import { expect, expectTypeOf, test } from 'vitest'

test('an operation has an entry for each version in which it changed', () => {
  expect(Object.keys(operations.acknowledgeAlert.versions)).toEqual(['v1.0', '2023-01-01', '2024-05-30'])
  expect(Object.keys(operations.getAlert.versions)).toEqual(['v1.0', '2023-01-01'])
  expect(operations.acknowledgeAlert.versions['2023-01-01'].deprecation.successor).toBe(
    'acknowledgeAlert@2024-05-30',
  )
})

test('the token endpoint has no prefix', () => {
  expect(operations.issueToken).toMatchObject({
    absolute: true,
    security: 'client-credentials',
    path: '/api/oauth/token',
  })
})

test('every row is an OperationRow', () => {
  const rows: readonly OperationRow[] = Object.values(operations)
  for (const row of rows)
    for (const version of Object.values(row.versions)) expect(version?.success).toBeGreaterThan(199)
})

test('tables are literal types', () => {
  expectTypeOf(versions[0].id).toEqualTypeOf<'v1.0'>()
  expectTypeOf(states.alert.values).toEqualTypeOf<readonly ['OPEN', 'TRACKING', 'CLOSED']>()
  expectTypeOf(errorCodes.INVALID_STATE.status).toEqualTypeOf<409>()
  expectTypeOf<'INVALID_STATE'>().toExtend<ErrorCode>()
  expect(new Set(requirementIds).size).toBe(requirementIds.length)
})

test('an open enum has known values and accepts others', () => {
  type Name = Newest['schemas']['EventTypeName']
  expectTypeOf<string>().toExtend<Name>()
  expectTypeOf<'CREDIT_CARD_ABOUT_TO_EXPIRE'>().toExtend<Name>()
})

test('a body has the fields of its version', () => {
  expectTypeOf<Newest['schemas']['AcknowledgeAlertRequest']>().toHaveProperty('unacknowledgeAlert')
  expectTypeOf<First['schemas']['AcknowledgeAlertRequest']>().not.toHaveProperty('unacknowledgeAlert')
})
