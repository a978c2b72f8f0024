import { mainRequirementOf } from '../model/requirement.ts'
import { isAbsent, type TestedOperation } from '../model/tested-operation.ts'
import type { Verdict } from '../model/verdict.ts'
import type { Report, Reported } from './model.ts'
import { alike } from './text.ts'

/** The number of operations in an area that the target implements, and how many of them conform. */
export interface AreaCoverage {
  readonly area: string
  readonly operations: number
  readonly implemented: number
  /** The number of implemented operations that were tested and don't violate any requirement. */
  readonly conforming: number
  /** The number of implemented operations that violate a requirement. */
  readonly broken: number
  /** The number of implemented operations for which the main check, or every check, couldn't run. */
  readonly untestable: number
}

const isTested = (verdict: Verdict): boolean =>
  verdict !== 'UNTESTABLE' && verdict !== 'NOT APPLICABLE' && verdict !== 'KIT ERROR'

const isPartlyAbsent = (one: TestedOperation): boolean => one.notImplemented.length > 0 && !isAbsent(one)

/**
 * Returns the names of the operations that the target lacks. If the target lacks only some versions of an
 * operation, the name includes these versions.
 */
export const absentNames = ({ operations }: Pick<Report, 'operations'>): string[] =>
  operations.flatMap((one) => {
    if (isAbsent(one)) return [one.operation]
    return isPartlyAbsent(one) ? [`${one.operation} ${one.notImplemented.join(', ')}`] : []
  })

/** A heading, and the missing operations to list under the heading. */
export interface AbsentGroup {
  readonly name: string
  readonly text: string
}

const isAbsentIn =
  (version: string) =>
  ({ notImplemented }: TestedOperation): boolean =>
    notImplemented.includes(version)

/** Groups missing operations by area. If the target lacks a whole version, that version gets a separate group. */
export const absentGroups = ({ operations }: Pick<Report, 'operations'>): AbsentGroup[] => {
  const versions = [...new Set(operations.flatMap((one) => one.versions))].sort()
  const absentVersions = new Set(
    versions.filter((version) => {
      const own = operations.filter((one) => one.versions.includes(version))
      return own.every(isAbsentIn(version)) && !own.every(isAbsent)
    }),
  )
  const groups = [...absentVersions].map((version) => {
    const own = operations.filter((one) => one.versions.includes(version))
    return { name: version, text: `all ${own.length} operations` }
  })
  for (const area of new Set(operations.map((one) => one.area))) {
    const own = operations.filter((one) => one.area === area)
    const names = own.flatMap((one) => {
      if (isAbsent(one)) return [one.operation]
      const some = one.notImplemented.filter((version) => !absentVersions.has(version))
      return some.length > 0 ? [`${one.operation} (${some.join(', ')})`] : []
    })
    if (names.length === 0) continue
    const isWhole = own.length > 1 && own.every(isAbsent)
    groups.push({ name: area, text: isWhole ? `all ${own.length} operations` : names.join(', ') })
  }
  return groups
}

const brokenIn = (results: readonly Reported[]): Set<string> =>
  new Set(
    results.flatMap(({ operation, verdict, waived }) =>
      verdict === 'FAIL' && waived === undefined ? [operation] : [],
    ),
  )

/** Operations whose main requirement needs the same missing prerequisite. */
export interface UntestedGroup {
  readonly missing: string
  readonly operations: readonly string[]
}

/**
 * Groups operations by the missing prerequisite of their main requirement. Operations with a failed check aren't
 * included. Other checks of the listed operations may pass, for example because the target rejects requests without
 * credentials.
 */
export const untestedGroups = ({ results }: Pick<Report, 'results'>): UntestedGroup[] => {
  const known = brokenIn(results)
  const missing = new Map<string, string>()
  for (const { operation, requirement, verdict, reason = '' } of results) {
    if (requirement !== mainRequirementOf(operation)) continue
    if (isTested(verdict)) known.add(operation)
    if (verdict === 'UNTESTABLE') missing.set(operation, reason)
  }
  const untested = [...missing].filter(([operation]) => !known.has(operation))
  return alike(untested, ([, reason]) => reason).map((group) => ({
    missing: group[0][1],
    operations: group.map(([operation]) => operation),
  }))
}

/** Returns the coverage of each area, in the order of the operation table. */
export const coverageByArea = ({ operations, results }: Report): AreaCoverage[] => {
  const broken = brokenIn(results)
  const tested = new Set(results.flatMap(({ operation, verdict }) => (isTested(verdict) ? [operation] : [])))
  for (const group of untestedGroups({ results })) for (const name of group.operations) tested.delete(name)
  return [...new Set(operations.map(({ area }) => area))].map((area) => {
    const own = operations.filter((one) => one.area === area)
    const implemented = own.filter((one) => !isAbsent(one)).map(({ operation }) => operation)
    const count = (fits: (name: string) => boolean): number => implemented.filter(fits).length
    return {
      area,
      operations: own.length,
      implemented: implemented.length,
      conforming: count((name) => tested.has(name) && !broken.has(name)),
      broken: count((name) => broken.has(name)),
      untestable: count((name) => !tested.has(name) && !broken.has(name)),
    }
  })
}

/** Adds up the coverage of all areas. */
export const totalCoverage = (report: Report): Omit<AreaCoverage, 'area'> => {
  const areas = coverageByArea(report)
  const sum = (field: Exclude<keyof AreaCoverage, 'area'>): number =>
    areas.reduce((total, area) => total + area[field], 0)
  return {
    operations: sum('operations'),
    implemented: sum('implemented'),
    conforming: sum('conforming'),
    broken: sum('broken'),
    untestable: sum('untestable'),
  }
}
