import type { ClockChange } from '../world/clock.ts'
import { ControlInputError, type Fields, maybeNumber, maybeText, moment } from './fields.ts'

/** What a body says about a clock: `{now?, advanceSeconds?, rate?}`. @throws {ControlInputError} */
export function clockChange(fields: Fields): ClockChange {
  const now = maybeText(fields, 'now')
  const advanceSeconds = maybeNumber(fields, 'advanceSeconds')
  const rate = maybeNumber(fields, 'rate')
  if (rate !== undefined && rate < 0) throw new ControlInputError("'rate' must not be negative")
  return {
    ...(now === undefined ? {} : { now: moment(now, 'now') }),
    ...(advanceSeconds === undefined ? {} : { advanceSeconds }),
    ...(rate === undefined ? {} : { rate }),
  }
}
