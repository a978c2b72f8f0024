import { unsourcedRequirements } from '../../spec/ledger/accounts.ts'
import { readIndex } from '../../spec/ledger/read.ts'
import { InputError } from './change.ts'
import type { Strength } from './strength.ts'

export interface Sourced {
  readonly id: string
  readonly strength: Strength
  readonly source: string
}

/**
 * Checks the source of a requirement against the rules of the ledger. If the source is a section, it must exist. The
 * decision can be recorded later.
 *
 * @throws {InputError} if the source isn't an existing section, a decision or an RFC, or if it doesn't match the
 * strength.
 */
export function requireSource({ id, strength, source }: Sourced): void {
  const index = readIndex()
  const [problem] = unsourcedRequirements({
    index: source.startsWith('decided: ') ? [...index, { key: source }] : index,
    requirements: [{ id, strength, source: [source] }],
  })
  if (problem)
    throw new InputError(
      `--source ${source}: ${problem.at} ${problem.says}. Use a section of the specification source for stated requirements, such as 4.7, or a decision or an RFC for decided ones, such as "decided: Responses"`,
    )
}
