import type { Selection } from './model/selection.ts'
import { Misconfiguration } from './model/signals.ts'
import { describeSelection } from './run/selected-plan.ts'
import type { Journal } from './run-context/journal.ts'
import type { Target } from './target/target.ts'

interface ResumeOptions {
  readonly target: Target
  readonly selection?: Selection
  readonly seed?: number
  readonly strict?: boolean
  readonly journalFile?: string
}

/** Returns whether two addresses are equal after normalization. */
const sameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href

/**
 * Checks that the journal belongs to this target. Another target returns 404 for the journal's resources, so the
 * cleanup would record them as removed even though they still exist.
 */
export const expectSameTarget = (journal: Journal, file: string | undefined, { baseUrl }: Target): void => {
  const { run } = journal.progress()
  if (run === undefined || sameAddress(run.target, baseUrl)) return
  const remaining = [journal.left(), journal.changed(), journal.allExisting(), journal.activeConditions()]
  const alone = [journal.seedLeft(), journal.clock()]
  if (remaining.some((all) => all.length > 0) || alone.some((one) => one !== undefined))
    throw new Misconfiguration(`${file} lists resources at ${run.target}, but the target is ${baseUrl}`)
}

/** Reads the run to resume from the journal. */
export const toResume = (journal: Journal, { journalFile, seed, target, ...options }: ResumeOptions) => {
  if (journalFile === undefined)
    throw new Misconfiguration("--resume needs the run's journal: pass it with --journal")
  const { run, done } = journal.progress()
  if (run === undefined)
    throw new Misconfiguration(
      `${journalFile} contains no run to resume: only runs with --journal can be resumed`,
    )
  if (seed !== undefined && seed !== run.seed)
    throw new Misconfiguration(`the run started with seed ${run.seed}; it can't be resumed with ${seed}`)
  const { strict = false, selection = {} } = options
  if (strict !== run.strict)
    throw new Misconfiguration(
      `the run started ${run.strict ? 'with' : 'without'} --strict; --resume can't change this`,
    )
  if (!sameAddress(run.target, target.baseUrl))
    throw new Misconfiguration(`the run started at ${run.target}; it can't be resumed at ${target.baseUrl}`)
  const [begun, now] = [describeSelection(run.selection), describeSelection(selection)]
  if (begun !== now)
    throw new Misconfiguration(`the run started with ${begun}; it can't be resumed with ${now}`)
  return { run, done }
}
