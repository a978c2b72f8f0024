/** Mutants that the kit may leave undetected, and the reasons why they can't change any response. */
export interface Excuse {
  readonly mutants: RegExp
  readonly reason: string
}

export const excuses: readonly Excuse[] = [
  {
    mutants: /^timestamps not in UTC@listMatcherFieldNames@/,
    reason: 'the response is a list of names, which has no timestamps',
  },
  {
    mutants: /^wrong type of member@createExportJob@[^#]+#\/(components|finishedAt|stateReason)/,
    reason: 'a job that has just been queued has no components, no end and no reason for one',
  },
  {
    mutants: /^wrong type of member@deleteBackupSchedules@[^#]+#\/(nextSnapshot|policies\/0)/,
    reason: 'a schedule that has just been emptied has neither policies nor a next snapshot',
  },
]

export const excuseFor = ({
  id,
  unreached,
}: {
  readonly id: string
  readonly unreached: boolean
}): string | undefined => (unreached ? excuses.find(({ mutants }) => mutants.test(id))?.reason : undefined)
