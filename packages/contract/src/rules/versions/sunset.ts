import { expectError } from '../../engine/expect.ts'
import { always, both, onApi, rules } from '../../engine/rule.ts'
import { NotApplicable } from '../../engine/signals.ts'

export default rules({
  'versions.sunset-enforced-gone': always(
    async (trial) => {
      if (trial.context.target.enforcesSunset !== true)
        throw new NotApplicable(
          'enforcing sunsets is left to each target, and this one does not (enforcesSunset in the target file is not true)',
        )
      expectError(await trial.try(), 'VERSION_GONE', 'the sunset date is past')
    },
    {
      at: both(onApi, ({ row }) => row.deprecation?.sunset !== undefined || 'no sunset date'),
      phase: 'read',
    },
  ),
})
