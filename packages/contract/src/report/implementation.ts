import { isAbsent, type TestedOperation } from '../model/tested-operation.ts'
import type { Report } from './model.ts'

/** How many operations in an area the target implements, and how many of these conform. */
export interface AreaCoverage {
  readonly area: string
  readonly operations: number
  readonly implemented: number
  /** The number of implemented operations that were tested without failures. */
  readonly conforming: number
  /** The number of implemented operations that failed. */
  readonly broken: number
  /** The number of implemented operations without any test result. */
  readonly untestable: number
}

const isPartlyAbsent = (one: TestedOperation): boolean => one.notImplemented.length > 0 && !isAbsent(one)

/** The names of operations that the target lacks. If only some versions are missing, the versions are included. */
export const absentNames = ({ operations }: Pick<Report, 'operations'>): string[] =>
  operations.flatMap((one) => {
    if (isAbsent(one)) return [one.operation]
    return isPartlyAbsent(one) ? [`${one.operation} ${one.notImplemented.join(', ')}`] : []
  })

/** A group of missing operations, with a name and a list as text. */
export interface AbsentGroup {
  readonly name: string
  readonly text: string
}

const isAbsentIn =
  (version: string) =>
  ({ notImplemented }: TestedOperation): boolean =>
    notImplemented.includes(version)

/** Missing operations, by area. A version without any operations is a single group. */
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

/** Each area's coverage, in the order of the operation table. */
export const coverageByArea = ({ operations, results }: Report): AreaCoverage[] => {
  const broken = new Set<string>()
  const tested = new Set<string>()
  for (const { operation, verdict, waived } of results) {
    if (verdict === 'FAIL' && waived === undefined) broken.add(operation)
    if (verdict !== 'UNTESTABLE' && verdict !== 'NOT APPLICABLE' && verdict !== 'KIT ERROR')
      tested.add(operation)
  }
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

/** The total over all areas. */
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
