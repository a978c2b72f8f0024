import { always, both, onApi, rules } from '../../check/rule.ts'
import { headerValue } from '../../http/exchange.ts'
import { expectServed, expectThat } from '../../model/expect.ts'

export default rules({
  'versions.current-carries-no-deprecation': always(
    async (trial) => {
      const exchange = await trial.try()
      expectServed(exchange)
      const value = headerValue(exchange.response.headers, 'Deprecation')
      expectThat(value === undefined, {
        expected: 'no Deprecation header',
        actual: `Deprecation: ${value}`,
        exchange,
      })
    },
    { at: both(onApi, ({ row }) => row.deprecation === undefined || 'deprecated') },
  ),

  /**
   * If the sunset is in the future, the check advances the clock past it. After a sunset, a target
   * may remove the operation.
   */
  'versions.served-after-sunset': always(
    async (trial) => {
      const { prerequisites } = trial.context
      const sunset = Date.parse(`${trial.cell.row.deprecation?.sunset}T23:59:59Z`)
      const left = Math.ceil((sunset - (await prerequisites.now())) / 1000)
      if (left >= 0) await prerequisites.advanceClock(left + 1)
      expectServed(await trial.try(), 'a success after the sunset')
    },
    {
      at: both(onApi, ({ row }) => row.deprecation?.sunset !== undefined || 'no sunset date'),
      phase: 'alone',
    },
  ),
})
