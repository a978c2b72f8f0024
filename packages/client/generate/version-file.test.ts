import { expectTypeOf, test } from 'vitest'
import type { OtherStatus, v2025_03_12 } from '#api'

type Result = v2025_03_12.GetAlertResult

/** Checked by the compiler; nothing of it runs. */
export function types(result: Result): unknown {
  switch (result.status) {
    case 200:
      return expectTypeOf(result.data).toEqualTypeOf<v2025_03_12.Alert>()
    case 404:
      return expectTypeOf(result.error.status).toEqualTypeOf<404>()
    case 400:
    case 401:
    case 403:
    case 406:
    case 429:
    case 500:
    case 503:
      return result.error.errorCode
    default:
      // A gateway answers 502, and the server 405: a program that has a branch for each documented status is not complete.
      expectTypeOf(result.status).toEqualTypeOf<OtherStatus>()
      expectTypeOf(result.error.errorCode).toEqualTypeOf<string | undefined>()
      return Number(result.status) === 502
  }
}

test('a result may have a status that the documents do not name', () => {
  expectTypeOf<Result['status']>().extract<OtherStatus>().toEqualTypeOf<OtherStatus>()
  expectTypeOf<OtherStatus>().toExtend<number>()
})
