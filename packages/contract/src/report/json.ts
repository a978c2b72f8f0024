import type { Report } from './report.ts'

/** The report as JSON, in pieces. Each result is on its own line, for line-based tools. */
export function* jsonReport({ results, ...report }: Report): Generator<string> {
  yield '{\n'
  for (const [name, value] of Object.entries(report))
    if (value !== undefined) yield `${JSON.stringify(name)}: ${JSON.stringify(value)},\n`
  yield '"results": [\n'
  for (const [at, result] of results.entries())
    yield `${JSON.stringify(result)}${at < results.length - 1 ? ',' : ''}\n`
  yield ']\n}\n'
}
