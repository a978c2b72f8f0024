import type { paths as paths2023 } from '@svc-admin/types/2023-01-01'
import type { paths as paths2024may } from '@svc-admin/types/2024-05-30'
import type { paths as paths2024august } from '@svc-admin/types/2024-08-05'
import type { paths as paths2025 } from '@svc-admin/types/2025-03-12'
import type { paths as paths1 } from '@svc-admin/types/v1.0'
import { expectTypeOf, test } from 'vitest'
import type { v1_0, v2023_01_01, v2024_05_30, v2024_08_05, v2025_03_12 } from '#api'

/**
 * The compiler checks that the types of openapi-typescript for the same documents are assignable to these.
 */
test('Paths has the types of openapi-typescript', () => {
  expectTypeOf<paths1>().toExtend<v1_0.Paths>()
  expectTypeOf<paths2023>().toExtend<v2023_01_01.Paths>()
  expectTypeOf<paths2024may>().toExtend<v2024_05_30.Paths>()
  expectTypeOf<paths2024august>().toExtend<v2024_08_05.Paths>()
  expectTypeOf<paths2025>().toExtend<v2025_03_12.Paths>()
})
