import { always, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { Json } from '../../document/json.ts'
import type { Strength } from '../../document/strength.ts'
import { expectThat } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import {
  expectMatches,
  type History,
  history,
  needsTimes,
  periodQuery,
  second,
} from '../../resources/access-history.ts'
import { arrangeAccessLogs, isExact, timeOf } from '../../resources/access-logs.ts'

/** Expects the response to contain exactly those entries of the full history that fall within the period. */
const expectPeriod = async (
  trial: Trial,
  all: History,
  first: number,
  last: number,
  strength?: Strength,
): Promise<void> => {
  const expected = all.entries.filter((entry) => timeOf(entry) >= first && timeOf(entry) <= last)
  expectMatches(await history(trial, periodQuery(first, last)), expected, strength)
}

/** Returns the attempts whose times are known to the millisecond. */
const exactIn = async ({ context }: Trial, { entries }: History): Promise<readonly Json[]> => {
  const added = await arrangeAccessLogs(context)
  return entries.filter((entry) => isExact(context, added, entry))
}

const exactAttempts = async (trial: Trial): Promise<readonly Json[]> => {
  const all = await history(trial)
  needsTimes(all, 1)
  return exactIn(trial, all)
}

/**
 * Requests periods that start or end one millisecond before or after a login attempt. Expects the response to contain
 * the attempt only if it is within the period.
 */
const expectExactPeriods = async (trial: Trial, attempt: Json): Promise<void> => {
  const time = timeOf(attempt)
  for (const [start, end] of [
    [time + 1, time + second - 1],
    [time - second + 1, time - 1],
    [time - 1, time + 1],
  ] as const) {
    const period = await history(trial, periodQuery(start, end))
    const found = (await exactIn(trial, period)).some((entry) => timeOf(entry) === time)
    const expected = start <= time && time <= end
    expectThat(found === expected, {
      expected: `${expected ? 'the' : 'no'} attempt at ${time} in the period from ${start} to ${end}`,
      actual: found ? 'an attempt at that time' : 'no attempt at that time',
      exchange: period.exchange,
    })
  }
}

const keepsMilliseconds = async (trial: Trial): Promise<void> => {
  const [attempt] = await exactAttempts(trial)
  if (attempt === undefined) throw new Untestable('an attempt whose time is known to the millisecond')
  await expectExactPeriods(trial, attempt)
}

/**
 * Requests periods whose start or end is in the same second as two attempts. Servers may store times in whole seconds,
 * so the history must show the milliseconds of both attempts.
 */
const splitsSeconds = async (trial: Trial): Promise<void> => {
  const attempts = (await exactAttempts(trial)).filter((entry) => timeOf(entry) % second > 0)
  const secondOf = (entry: Json): number => Math.floor(timeOf(entry) / second)
  const pair = attempts.flatMap((one) =>
    attempts
      .filter((other) => secondOf(other) === secondOf(one) && timeOf(other) > timeOf(one) + 2)
      .map((other) => [one, other] as const),
  )[0]
  if (pair === undefined) throw new Untestable('two attempts in the same second, at different milliseconds')
  for (const attempt of pair) await expectExactPeriods(trial, attempt)
}

export default rules({
  'accessHistory.period-kept': [
    always(async (trial) => {
      const all = await history(trial)
      needsTimes(all, 3)
      const times = all.entries.map(timeOf).sort((one, other) => other - one)
      const [last = 0, first = 0] = times.slice(1)
      await expectPeriod(trial, all, first - second, last + second)
      // The specification doesn't say whether a period includes its start and its end.
      await expectPeriod(trial, all, first, last, 'decided')
    }),
    always(keepsMilliseconds, { label: 'to the millisecond' }),
    always(splitsSeconds, { label: 'within a second' }),
  ],
})
