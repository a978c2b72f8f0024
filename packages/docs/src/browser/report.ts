import { isNotable, rankOf, verdictClass } from '../model/conformance-report.ts'
import { addCopyButtons } from './copy.ts'
import { element, messageOf, rootOf } from './elements.ts'
import { type ReadReport, readReport } from './report-model.ts'
import { type Addresses, coverageTable, leftoverList, rowsOf, untestedList } from './report-parts.ts'

const root = rootOf(document.currentScript)
const view = document.querySelector<HTMLElement>('#report-view')
const file = document.querySelector<HTMLInputElement>('#report-file')
const zone = document.querySelector<HTMLElement>('#report-drop')

/** The number of rows to show at first. A complete report has thousands of rows. */
const rowsAtOnce = 200

/** Loads the URL of each requirement's page. Returns an empty map if loading fails. */
async function addressesOf(): Promise<Addresses> {
  try {
    const response = await fetch(view?.dataset.from ?? '')
    const pages: Record<string, string[]> = response.ok ? await response.json() : {}
    return new Map(
      Object.entries(pages).flatMap(([page, ids]) => ids.map((id) => [id, `${root}${page}#${id}`] as const)),
    )
  } catch {
    return new Map()
  }
}

async function read(chosen: File | undefined): Promise<void> {
  if (!chosen || !view) return
  try {
    show(readReport(chosen.name, await chosen.text()), await addressesOf())
  } catch (error) {
    view.replaceChildren(element('p', { class: 'callout bad', role: 'alert' }, messageOf(error)))
  }
}

function show(report: ReadReport, addresses: Addresses): void {
  view?.replaceChildren(
    element('p', {}, `${report.target}, ${report.startedAt}, kit ${report.kit}`),
    ...report.notes.map((text) => element('p', { class: 'callout' }, text)),
    ...report.waiverProblems.map((text) => element('p', { class: 'callout bad' }, `Waivers: ${text}`)),
    ...verdictTable(report, addresses),
    ...untestedList(report, addresses),
    ...leftoverList(report),
    ...coverageTable(report),
  )
}

/**
 * Creates the table of verdicts, with buttons that show or hide each kind of verdict. Passed checks are hidden at
 * first.
 */
function verdictTable(report: ReadReport, addresses: Addresses): HTMLElement[] {
  const verdicts = report.verdicts
    .filter((verdict) => report.summary[verdict])
    .sort((a, b) => rankOf(a) - rankOf(b))
  const shown = new Set(verdicts.filter(isNotable))
  const rows = rowsOf(report, addresses)
  const body = element('tbody')
  const status = element('p', { role: 'status' })
  const more = element('button', { type: 'button', class: 'filter' })
  let most = rowsAtOnce
  const buttons = verdicts.map((verdict) => {
    const label = `${verdict} ${report.summary[verdict]}`
    const button = element('button', { type: 'button', class: `filter ${verdictClass(verdict)}` }, label)
    button.addEventListener('click', () => {
      if (!shown.delete(verdict)) shown.add(verdict)
      draw()
    })
    return { verdict, button }
  })
  const draw = () => {
    for (const { verdict, button } of buttons) button.setAttribute('aria-pressed', String(shown.has(verdict)))
    const wanted = rows.filter(({ verdict }) => shown.has(verdict))
    body.replaceChildren(...wanted.slice(0, most).map(({ make }) => make()))
    addCopyButtons(body)
    status.textContent =
      wanted.length > 0 ? '' : 'No problems found. Choose a verdict above to see its checks.'
    more.hidden = wanted.length <= most
    more.textContent = `${wanted.length - most} more rows`
  }
  more.addEventListener('click', () => {
    most += rowsAtOnce
    draw()
  })
  draw()
  const names = ['Verdict', 'Where', 'Requirement', 'Result']
  const head = element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, name)))
  return [
    element('p', { class: 'filters' }, ...buttons.map(({ button }) => button)),
    status,
    element(
      'div',
      { class: 'scroll', tabindex: '0' },
      element('table', { class: 'stacked findings' }, element('thead', {}, head), body),
    ),
    element('p', {}, more),
  ]
}

file?.addEventListener('change', () => void read(file.files?.[0]))
zone?.addEventListener('dragover', (event) => {
  event.preventDefault()
  zone.classList.add('over')
})
zone?.addEventListener('dragleave', () => zone.classList.remove('over'))
zone?.addEventListener('drop', (event) => {
  event.preventDefault()
  zone.classList.remove('over')
  void read(event.dataTransfer?.files[0])
})
