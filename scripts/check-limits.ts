/**
 * Finds lines that repeat a limit from `spec/facts/limits.yaml`. A line repeats a limit if it contains the limit's name
 * and either its value or the value plus 1. Use `limits` from `@svc-admin/types` instead,
 * `{facts/limits.yaml#/name/maximum}` in the specification, or `{{limits.name.maximum}}` in a guide.
 */
import { parse } from 'yaml'
import { readSource, report, repositoryFiles } from './sources.ts'

const home = 'spec/facts/limits.yaml'

/**
 * Files that are allowed to repeat limits. The ledger quotes statements from the specification source, and fixtures are
 * separate documents.
 */
const exempt =
  /^spec\/(ledger|facts\/limits\.yaml)|\/fixtures\/|^\.changeset\/|^docs\/|README\.md$|CHANGELOG\.md$/

/** The smallest value to check. Smaller values are too common as counts, defaults and indexes. */
const smallest = 10
/** The largest safe integer isn't checked, because it is a property of JSON parsers and not of this API. */
const largest = Number.MAX_SAFE_INTEGER

/** Maps each limit's name to the numbers that must not be repeated. */
export type Limits = ReadonlyMap<string, readonly number[]>

/**
 * Reads the limits, except for those whose name is a single lowercase word. Such names, for example `body`, are also
 * ordinary words.
 */
export function limitsIn(yaml: string): Limits {
  const rows: Record<string, Record<string, unknown>> = parse(yaml)
  return new Map(
    Object.entries(rows)
      .filter(([name]) => /[A-Z]/.test(name) || name === 'hostname')
      .map(([name, row]) => [
        name,
        Object.values(row).filter(
          (value) => typeof value === 'number' && value >= smallest && value < largest,
        ) as number[],
      ]),
  )
}

/** Returns the problems in a text. Each limit is reported only once per line. */
export function repeatedLimits(path: string, text: string, limits: Limits): string[] {
  return text.split('\n').flatMap((line, index) =>
    [...limits].flatMap(([name, values]) => {
      if (!new RegExp(`\\b${name}\\b`).test(line)) return []
      const numbers = (line.match(/(?<![\w.-])\d[\d_]*(?![\w.-])/g) ?? []).map((digits) =>
        Number(digits.replaceAll('_', '')),
      )
      const repeated = numbers.find((number) =>
        values.some((value) => number === value || number === value + 1),
      )
      return repeated === undefined ? [] : [`${path}:${index + 1}: repeats the limit ${name}: ${repeated}`]
    }),
  )
}

if (process.argv[1] === import.meta.filename) {
  const limits = limitsIn(readSource(home))
  const paths = repositoryFiles(/\.(ya?ml|ts|mjs|md|html)$/).filter((path) => !exempt.test(path))
  report(
    'each limit is defined in only one place',
    paths.flatMap((path) => repeatedLimits(path, readSource(path), limits)),
  )
}
