import { always, both, onApi, rules } from '../../check/rule.ts'
import { expectError } from '../../model/expect.ts'
import { NotApplicable } from '../../model/signals.ts'

export default rules({
  'versions.sunset-enforced-gone': always(
    async (trial) => {
      if (trial.context.target.enforcesSunset !== true)
        throw new NotApplicable(
          'the target does not enforce sunset dates (enforcesSunset in the target file is not true)',
        )
      const exchange = await trial.try({}, { returnWithdrawn: true })
      expectError(exchange, 'VERSION_GONE', 'the sunset date has passed')
    },
    {
      at: both(onApi, ({ row }) => row.deprecation?.sunset !== undefined || 'no sunset date'),
      phase: 'read',
    },
  ),
})
