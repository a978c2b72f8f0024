import { expectError } from '../../engine/expect.ts'
import { always, both, onApi, rules } from '../../engine/rule.ts'
import { NotApplicable } from '../../engine/signals.ts'

export default rules({
  'versions.sunset-enforced-gone': always(
    async (trial) => {
      if (trial.world.target.enforcesSunset !== true)
        throw new NotApplicable('the target does not say that it enforces sunsets (enforcesSunset)')
      expectError(await trial.try(), 'VERSION_GONE', 'the sunset date is past')
    },
    {
      at: both(onApi, ({ row }) => row.deprecation?.sunset !== undefined || 'no sunset date'),
      phase: 'read',
    },
  ),
})
