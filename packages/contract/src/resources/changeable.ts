import type { Trial } from '../check/trial.ts'
import { freshAlertConfig } from '../given/given.ts'
import { Untestable } from '../model/signals.ts'
import { allowedHolder, anyAuthorizationOf } from '../run-context/holders.ts'
import { ownCluster } from './own-resources.ts'

export type PathParameters = Readonly<Record<string, string>>

/** The checks for these parameters create their own resources, because they must not change shared resources. */
const separate: Readonly<Record<string, (trial: Trial, groupId: string) => Promise<PathParameters>>> = {
  updateAlertConfig: async ({ context }) => ({ alertConfigId: await freshAlertConfig(context, false) }),
  async updateBackupSchedule({ context, cell }, groupId) {
    if (!context.prerequisites.canSeed) throw new Untestable('a cluster whose backup schedule can change')
    const as = anyAuthorizationOf(allowedHolder(context.target, cell), cell.operation.id)
    const { clusterName } = await ownCluster(context, {}, { parameters: { groupId }, as, orgId: '', groupId })
    return { clusterName }
  },
}

/** Returns the path of the resource that the check changes. */
export const changeablePath = async (trial: Trial): Promise<PathParameters> => {
  const { parameters } = await trial.good()
  const { groupId = '' } = parameters
  return { ...parameters, ...(await separate[trial.cell.operation.id]?.(trial, groupId)) }
}
