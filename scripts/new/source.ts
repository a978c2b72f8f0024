import { unsourcedRequirements } from '../../spec/ledger/accounts.ts'
import { readIndex } from '../../spec/ledger/read.ts'
import { Refusal } from './change.ts'
import type { Strength } from './requirement.ts'

export interface Sourced {
  readonly id: string
  readonly strength: Strength
  readonly source: string
}

/**
 * What the ledger asks of the source of a requirement, asked before the requirement is written. A decision may be
 * written after it, a section is there or not.
 *
 * @throws {Refusal} if the source is no section that there is, no decision and no RFC, or not of the strength.
 */
export function requireSource({ id, strength, source }: Sourced): void {
  const index = readIndex()
  const [problem] = unsourcedRequirements({
    index: source.startsWith('decided: ') ? [...index, { key: source }] : index,
    requirements: [{ id, strength, source: [source] }],
  })
  if (problem)
    throw new Refusal(
      `--source ${source}: ${problem.at} ${problem.says}. For what is stated a section of the source was expected, such as 4.7, for what is decided a decision, such as "decided: Answers", or an RFC`,
    )
}
