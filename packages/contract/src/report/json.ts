import type { Report } from './report.ts'

/** A report for programs, in pieces. Each result is a line of its own, so that line tools find their way as well. */
export function* jsonReport({ results, ...report }: Report): Generator<string> {
  yield '{\n'
  for (const [name, value] of Object.entries(report))
    if (value !== undefined) yield `${JSON.stringify(name)}: ${JSON.stringify(value)},\n`
  yield '"results": [\n'
  for (const [at, result] of results.entries())
    yield `${JSON.stringify(result)}${at < results.length - 1 ? ',' : ''}\n`
  yield ']\n}\n'
}
