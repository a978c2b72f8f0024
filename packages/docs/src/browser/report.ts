import { type Ledger, readLedger } from '../pages/ledger.ts'
import { element, rootOf } from './elements.ts'

interface Told {
  readonly text: string
  readonly strength: string
  readonly address: string
}

const root = rootOf(document.currentScript)
const view = document.querySelector<HTMLElement>('#report-view')
const file = document.querySelector<HTMLInputElement>('#report-file')
const zone = document.querySelector<HTMLElement>('#report-drop')

const cssName = (verdict: string): string => `verdict-${verdict.toLowerCase().replaceAll(' ', '-')}`

async function requirements(): Promise<Record<string, Told>> {
  const answer = await fetch(view?.dataset.from ?? '')
  return answer.json()
}

async function read(chosen: File | undefined): Promise<void> {
  if (!chosen || !view) return
  try {
    const ledger = readLedger(JSON.parse(await chosen.text()))
    show(ledger, await requirements())
  } catch (error) {
    view.replaceChildren(element('p', { class: 'callout bad', role: 'alert' }, String(error)))
  }
}

function show(ledger: Ledger, known: Readonly<Record<string, Told>>): void {
  const hidden = new Set(['NOT APPLICABLE'])
  const table = element('tbody')
  const buttons = ledger.verdicts.map((verdict) => {
    const button = element(
      'button',
      { type: 'button', class: `filter ${cssName(verdict)}` },
      `${verdict} ${ledger.summary[verdict] ?? 0}`,
    )
    button.addEventListener('click', () => {
      if (!hidden.delete(verdict)) hidden.add(verdict)
      draw()
    })
    return { verdict, button }
  })
  const draw = () => {
    for (const { verdict, button } of buttons)
      button.setAttribute('aria-pressed', String(!hidden.has(verdict)))
    table.replaceChildren(...rowsOf(ledger, known, hidden))
  }
  draw()
  const head = element(
    'tr',
    {},
    ...['Requirement', 'Promise', 'Verdicts'].map((name) => element('th', { scope: 'col' }, name)),
  )
  view?.replaceChildren(
    element('p', {}, `${ledger.target}, ${ledger.startedAt}, kit ${ledger.kit}`),
    element('p', { class: 'filters' }, ...buttons.map(({ button }) => button)),
    element(
      'div',
      { class: 'scroll', tabindex: '0' },
      element('table', {}, element('thead', {}, head), table),
    ),
  )
}

function rowsOf(
  { byRequirement }: Ledger,
  known: Readonly<Record<string, Told>>,
  hidden: ReadonlySet<string>,
): HTMLElement[] {
  return [...byRequirement].flatMap(([id, counts]) => {
    const shown = [...counts].filter(([verdict]) => !hidden.has(verdict))
    if (shown.length === 0) return []
    const told = known[id]
    const name = told
      ? element('a', { href: root + told.address }, element('code', {}, id))
      : element('code', {}, id)
    const badges = shown.map(([verdict, count]) =>
      element('span', { class: `badge ${cssName(verdict)}` }, `${verdict} ${count}`),
    )
    return [
      element(
        'tr',
        {},
        element('td', {}, name),
        element('td', {}, told ? `${told.text} (${told.strength})` : ''),
        element('td', {}, ...badges),
      ),
    ]
  })
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
