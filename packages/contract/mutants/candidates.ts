import type { Cell } from '../src/model/api.ts'
import { hashOf } from '../src/model/random.ts'
import type { Result } from '../src/model/result.ts'
import { type Breakage, concernsOf, type MutantHarness } from './harness.ts'
import type { Mutant } from './mutant.ts'
import { operators } from './operators/index.ts'
import { outboxMutants } from './operators/notifications.ts'
import { secondOrder } from './operators/second-order.ts'

/** A mutant, with the operation and version to test. */
export interface Candidate {
  readonly id: string
  readonly operator: string
  readonly cell: Cell
  readonly hints: readonly string[]
  /** Whether the mutant also affects other operations. The checks for these operations might then detect the mutant. */
  readonly isWide: boolean
  readonly breakage: () => Breakage
}

export const noticed = ({ verdict }: Result): boolean =>
  verdict === 'FAIL' || verdict === 'WARN' || verdict === 'LENIENT'

export const candidatesOf = (harness: MutantHarness, cells: readonly Cell[]): Candidate[] => {
  const made = operators.flatMap((operator) => operator.mutants(cells))
  const ofApi = made.map(
    (mutant: Mutant): Candidate => ({
      ...mutant,
      isWide: mutant.operator === secondOrder.name && mutant.reach === 'generation',
      breakage: () => ({ api: mutant.make(harness.tools), concerns: concernsOf(mutant) }),
    }),
  )
  const ofOutbox = outboxMutants(cells).map(
    (mutant): Candidate => ({
      ...mutant,
      operator: 'notifications',
      isWide: false,
      breakage: () => ({ control: mutant.make(), concerns: () => false }),
    }),
  )
  return [...ofApi, ...ofOutbox]
}

export const drawn = (candidates: readonly Candidate[], seed: number): Candidate[] => {
  const rank = ({ id }: Candidate): number => hashOf(`${seed}:${id}`)
  return [...candidates].sort((one, other) => rank(one) - rank(other))
}
