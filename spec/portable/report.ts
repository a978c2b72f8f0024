/** The steps of each program that uses a generated client. All programs run them in this order. */
export const steps = ['list', 'create and delete', 'snapshot', 'typed 404'] as const

export interface Row {
  readonly name: string
  readonly results: readonly { readonly step: string; readonly passed: boolean }[]
  readonly problems: readonly string[]
  /** The required commands that aren't installed. */
  readonly missing?: readonly string[]
  readonly seconds?: number
}

const columns = ['generate', 'compile', ...steps]
const headings = ['client', 'compile', 'list', 'create', 'backup', '404']
const nameWidth = 27

/** Formats the results as a table that is at most 80 characters wide, with a list of problems below it. */
export function table(rows: readonly Row[]): string {
  const head = [''.padEnd(nameWidth), ...headings.map((text) => text.padEnd(8)), 'time'].join('')
  const problems = rows.flatMap(({ name, problems: all }) => all.map((each) => `${name}, ${each}`))
  const skipped = rows.filter(({ missing }) => missing).length
  const failed = rows.filter((row) => row.problems.length > 0).length
  const summary = `${rows.length - skipped - failed} of ${rows.length} generators passed, ${failed} failed, ${skipped} skipped.`
  return [head, ...rows.map(line), '', ...problems, summary].join('\n')
}

function line({ name, results, missing, seconds = 0 }: Row): string {
  if (missing) return `${name.padEnd(nameWidth)}skipped: ${missing.join(' and ')} not found`
  const cells = columns.map((column) => {
    const passed = results.find(({ step }) => step === column)?.passed
    return (passed === undefined ? '–' : passed ? 'ok' : 'failed').padEnd(8)
  })
  return `${name.padEnd(nameWidth)}${cells.join('')}${Math.round(seconds)} s`.trimEnd()
}
