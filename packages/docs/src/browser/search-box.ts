import { element } from './elements.ts'
import { createFinder, type Finder, type Found } from './search.ts'
import { readEntries, type SearchEntry } from './tokens.ts'

const loaded = new Map<string, Promise<Finder>>()

/** The index of the version that the page is about; loaded once, when it is first needed. */
export function finderFor(root: string): Promise<Finder> {
  const version = document.body.dataset.version ?? ''
  const known = loaded.get(version)
  if (known) return known
  const loading = Promise.all(
    ['shared', version].map((name) => entriesOf(`${root}assets/search-${name}.json`)),
  ).then((found) => createFinder(found.flat()))
  loaded.set(version, loading)
  return loading
}

async function entriesOf(address: string): Promise<SearchEntry[]> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`The search index was not found (${answer.status}).`)
  return readEntries(await answer.text())
}

/** One result as a link. */
export function resultLink(root: string, { title, kind, url, detail }: Found): HTMLAnchorElement {
  return element(
    'a',
    { href: root + url },
    element('span', { class: 'result-kind' }, kind),
    element('span', { class: 'result-title' }, title),
    element('span', { class: 'result-detail' }, detail),
  )
}

interface Box {
  readonly root: string
  readonly input: HTMLInputElement
  readonly list: HTMLElement
  readonly status: HTMLElement
}

/** Makes the field of the header find while one types (WAI-ARIA combobox with a listbox). */
export function attachSearch(root: string): void {
  const form = document.querySelector<HTMLFormElement>('.search-form')
  const input = form?.querySelector('input')
  if (!form || !input) return
  const list = element('div', {
    role: 'listbox',
    id: 'search-results',
    class: 'results',
    'aria-label': 'Results',
  })
  const status = element('p', { class: 'visually-hidden', role: 'status' })
  list.hidden = true
  form.append(list, status)
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': list.id,
    'aria-autocomplete': 'list',
  }))
    input.setAttribute(name, value)
  const box = { root, input, list, status }
  const load = () => void finderFor(root).catch(() => undefined)
  input.addEventListener('focus', load)
  input.addEventListener('input', () => void show(box))
  input.addEventListener('keydown', (event) => onKey(event, box))
  // The field keeps the focus while somebody presses on a result: its list would be gone before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  input.addEventListener('blur', () => close(box))
  document.addEventListener('keydown', (event) => focusOnSlash(event, input))
}

function focusOnSlash(event: KeyboardEvent, input: HTMLInputElement): void {
  const typing =
    event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable]')
  const wanted = event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!wanted || (typing && event.key === '/')) return
  event.preventDefault()
  input.focus()
  input.select()
}

async function show({ root, input, list, status }: Box): Promise<void> {
  const query = input.value.trim()
  if (query === '') return close({ root, input, list, status })
  try {
    const finder = await finderFor(root)
    if (query !== input.value.trim()) return
    const found = finder.find(query, 12)
    list.replaceChildren(...found.map((each, index) => option(root, each, index)))
    if (found.length === 0) list.append(element('p', { class: 'no-result' }, 'Nothing found.'))
    status.textContent = `${found.length} results`
  } catch (error) {
    list.replaceChildren(element('p', { class: 'no-result' }, String(error)))
  }
  list.hidden = false
  input.setAttribute('aria-expanded', String(list.querySelector('a') !== null))
  input.removeAttribute('aria-activedescendant')
}

function option(root: string, found: Found, index: number): HTMLAnchorElement {
  const link = resultLink(root, found)
  link.id = `result-${index}`
  link.tabIndex = -1
  link.setAttribute('role', 'option')
  link.setAttribute('aria-selected', 'false')
  return link
}

function close({ list, input }: Box): void {
  list.hidden = true
  input.setAttribute('aria-expanded', 'false')
  input.removeAttribute('aria-activedescendant')
}

function onKey(event: KeyboardEvent, box: Box): void {
  const options = [...box.list.querySelectorAll<HTMLAnchorElement>('a')]
  const at = options.findIndex((each) => each.getAttribute('aria-selected') === 'true')
  if (event.key === 'Escape') close(box)
  else if (event.key === 'Enter' && at >= 0) {
    event.preventDefault()
    options[at]?.click()
    close(box)
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    const step = event.key === 'ArrowDown' ? 1 : -1
    const next = at < 0 && step < 0 ? options.length - 1 : (at + step + options.length) % options.length
    select(options, next, box)
  }
}

function select(options: readonly HTMLAnchorElement[], index: number, { input }: Box): void {
  options.forEach((each, position) => {
    each.setAttribute('aria-selected', String(position === index))
  })
  const chosen = options[index]
  if (!chosen) return
  input.setAttribute('aria-activedescendant', chosen.id)
  chosen.scrollIntoView({ block: 'nearest' })
}
