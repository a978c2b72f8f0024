import { expectTypeOf, test } from 'vitest'
import type { OtherStatus, v2025_03_12 } from '#api'

type Result = v2025_03_12.GetAlertResult

/** This function checks types. It is compiled but never runs. */
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
      // Handling every documented status isn't enough: a gateway may return a 502, or the server a 405.
      expectTypeOf(result.status).toEqualTypeOf<OtherStatus>()
      expectTypeOf(result.error.errorCode).toEqualTypeOf<string | undefined>()
      return Number(result.status) === 502
  }
}

test('a result may have an undocumented status', () => {
  expectTypeOf<Result['status']>().extract<OtherStatus>().toEqualTypeOf<OtherStatus>()
  expectTypeOf<OtherStatus>().toExtend<number>()
})
