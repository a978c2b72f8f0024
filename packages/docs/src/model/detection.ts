import { isObject, text } from './conformance-report.ts'

/** The total number of mutants and the number that the kit found. */
export interface Found {
  readonly mutants: number
  readonly found: number
}

/** How many mutants of the reference server the conformance kit found, based on a sample. */
export interface Detection extends Found {
  readonly startedAt: string
  readonly seed: number
  readonly byRequirement: ReadonlyMap<string, Found>
}

const countsIn = (value: unknown): Found => {
  const { mutants, found } = isObject(value) ? value : {}
  if (typeof mutants !== 'number' || typeof found !== 'number')
    throw new Error('The file contains no mutant counts.')
  return { mutants, found }
}

/**
 * Reads a detection report, which `npm run mutants -w packages/contract -- --detection <file>` writes.
 *
 * @throws Error if the argument is not a detection report.
 */
export function readDetection(report: unknown): Detection {
  if (!isObject(report) || !text(report.format).startsWith('svc-admin-contract-detection/'))
    throw new Error('The file is not a report about the conformance kit’s mutants.')
  const { requirements, startedAt, seed } = report
  const byRequirement = Object.entries(isObject(requirements) ? requirements : {}).map(
    ([id, counts]): [string, Found] => [id, countsIn(counts)],
  )
  return {
    ...countsIn(report),
    startedAt: text(startedAt),
    seed: Number(seed),
    byRequirement: new Map(byRequirement),
  }
}

/** Returns the share as text, such as `12 of 12`. */
export const foundText = ({ mutants, found }: Found): string => `${found} of ${mutants}`
