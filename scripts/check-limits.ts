/**
 * Finds lines that repeat a limit from `spec/facts/limits.yaml`, because they contain the limit's name together with
 * its value or the first value beyond it. Use `limits` from `@svc-admin/types` instead,
 * `{facts/limits.yaml#/name/maximum}` in the specification, or `{{limits.name.maximum}}` in a guide.
 */
import { parse } from 'yaml'
import { readSource, report, repositoryFiles } from './sources.ts'

const home = 'spec/facts/limits.yaml'

/** The ledger records the statements of the specification source, and fixtures are separate documents. */
const exempt =
  /^spec\/(ledger|facts\/limits\.yaml)|\/fixtures\/|^\.changeset\/|^docs\/|README\.md$|CHANGELOG\.md$/

/** The smallest value to check. Smaller values are also common as counts, defaults and indexes. */
const smallest = 10
/** The largest safe integer isn't checked, because it is a property of JSON parsers. */
const largest = Number.MAX_SAFE_INTEGER

/** The numbers that must not be repeated, by the name of the limit. */
export type Limits = ReadonlyMap<string, readonly number[]>

/**
 * Reads the limits. Excludes names that consist of a single lowercase word, such as `body`, because they are
 * also ordinary words.
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

/** Returns the problems in a text. Each limit is reported at most once per line. */
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
