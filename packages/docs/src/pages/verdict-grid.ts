import type { Requirement } from '@svc-admin/spec'
import { html } from 'hono/html'
import type { Block } from '../content/block.ts'
import { code } from '../content/inline.ts'
import { type Ledger, type Tally, verdictClass, worstOf } from '../model/conformance-report.ts'

export interface GridLine {
  readonly label: string
  readonly href: string
  readonly inCode: boolean
  readonly requirements: readonly Requirement[]
}

/**
 * Creates a table with a column for each version. Each cell contains the most severe verdict and the number of test
 * cases.
 */
export function verdictGrid(ledger: Ledger, first: string, lines: readonly GridLine[]): Block {
  const head = [first, ...ledger.versions]
  const rows = lines.map((line) => ({
    ...line,
    cells: ledger.versions.map((version) => cellOf(ledger, line.requirements, version)),
  }))
  const markup = html`<div class="scroll" tabindex="0"><table class="verdict-grid"><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map(({ label, href, inCode, cells }) => html`<tr><th scope="row"><a href="${href}">${inCode ? html`<code>${label}</code>` : label}</a></th>${cells.map((cell) => html`<td>${cellHtml(cell)}</td>`)}</tr>`)}</tbody></table></div>`
  const markdown = [
    `| ${head.join(' | ')} |`,
    `|${' --- |'.repeat(head.length)}`,
    ...rows.map(
      ({ label, href, inCode, cells }) =>
        `| [${inCode ? code(label) : label}](${href}) | ${cells.map(cellText).join(' | ')} |`,
    ),
  ].join('\n')
  return { kind: 'widget', isData: true, html: String(markup), markdown }
}

/**
 * For each requirement, lists the number of test cases by operation. Omits requirements that apply to a single
 * operation because the grid already shows the number of test cases for them.
 */
export function casesBlock(ledger: Ledger, requirements: readonly Requirement[]): Block {
  const shown = requirements.flatMap(({ id, operations: own = [] }) => {
    const operations = [...(ledger.tested.get(id)?.byOperation ?? [])]
    const isSingle = own.length === 1 && operations.every(([operation]) => operation === own[0])
    return operations.length === 0 || isSingle ? [] : [{ id, operations }]
  })
  const text = (operations: readonly (readonly [string, number])[]) =>
    operations.map(([operation, count]) => `${code(operation)} ${count}`).join(', ')
  const markup = html`${shown.map(
    ({ id, operations }) =>
      html`<details class="cases"><summary><code>${id}</code></summary><p>${operations.map(([operation, count], index) => html`${index > 0 ? ', ' : ''}<code>${operation}</code> ${count}`)}</p></details>`,
  )}`
  return {
    kind: 'widget',
    isData: true,
    html: String(markup),
    markdown: shown.map(({ id, operations }) => `- ${code(id)}: ${text(operations)}`).join('\n'),
  }
}

function cellOf({ tested }: Ledger, requirements: readonly Requirement[], version: string): Tally {
  const cells = requirements.flatMap(({ id }) => tested.get(id)?.byVersion.get(version) ?? [])
  return {
    verdict: cells.reduce<string | undefined>(
      (worst, { verdict }) => (verdict === undefined ? worst : worstOf(worst, verdict)),
      undefined,
    ),
    count: cells.reduce((sum, { count }) => sum + count, 0),
  }
}

/** Renders a cell of the grid. The verdict is also shown as text because not all readers can distinguish the colors. */
const cellHtml = ({ verdict, count }: Tally) =>
  verdict === undefined ? '–' : html`<span class="badge ${verdictClass(verdict)}">${verdict} ${count}</span>`

const cellText = ({ verdict, count }: Tally): string => (verdict === undefined ? '–' : `${verdict} ${count}`)
