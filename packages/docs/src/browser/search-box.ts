import { breakable, element, messageOf } from './elements.ts'
import type { Found } from './search.ts'
import { finderFor, withOthers } from './search-load.ts'

export function resultLink(root: string, { title, kind, url, detail }: Found): HTMLAnchorElement {
  return element(
    'a',
    { href: root + url },
    element('span', { class: 'result-kind' }, kind),
    element('span', { class: 'result-title' }, ...breakable(title)),
    element('span', { class: 'result-detail' }, ...breakable(detail)),
  )
}

interface Box {
  readonly root: string
  readonly version: string
  readonly input: HTMLInputElement
  readonly panel: HTMLElement
  /** The list of results. Messages are next to the list because a listbox may contain only options. */
  readonly list: HTMLElement
  readonly status: HTMLElement
}

/** How long to wait after the last keystroke before searching other versions, in milliseconds. */
const patience = 250
const shownResults = 12

/** Adds search-as-you-type to the search field in the header (WAI-ARIA combobox with a listbox). */
export function attachSearch(root: string): void {
  const form = document.querySelector<HTMLFormElement>('.search-form')
  const input = form?.querySelector('input')
  if (!form || !input) return
  const version = document.body.dataset.version ?? ''
  const list = element('div', { role: 'listbox', id: 'search-results', 'aria-label': 'Results' })
  const panel = element('div', { class: 'results' })
  const status = element('p', { class: 'visually-hidden', role: 'status' })
  panel.hidden = true
  form.append(panel, status)
  // If the reader submits the form, the results page must search the same version.
  form.addEventListener('formdata', ({ formData }) => formData.set('version', version))
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': list.id,
    'aria-autocomplete': 'list',
  }))
    input.setAttribute(name, value)
  const box = { root, version, input, panel, list, status }
  const load = () => void finderFor(root, version).catch(() => undefined)
  input.addEventListener('focus', load)
  input.addEventListener('input', () => void show(box))
  input.addEventListener('keydown', (event) => onKey(event, box))
  // When the reader clicks a result, the focus must stay in the search field.
  // Otherwise, the list would close before the click takes effect.
  panel.addEventListener('mousedown', (event) => event.preventDefault())
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

async function show(box: Box): Promise<void> {
  const { root, version, input } = box
  const query = input.value.trim()
  if (query === '') return close(box)
  const isWanted = () => query === input.value.trim()
  try {
    const response = (await finderFor(root, version)).find(query)
    if (!isWanted()) return
    // If this version has no result, other versions may have one.
    if (response.found.length > 0) fill(box, response.found, response.message)
    await new Promise((resolve) => setTimeout(resolve, patience))
    if (!isWanted()) return
    const all = await withOthers(root, version, query, response)
    if (isWanted() && all !== response) fill(box, all.found, all.message)
  } catch (error) {
    if (isWanted()) fill(box, [], messageOf(error))
  }
}

function fill({ root, input, panel, list, status }: Box, all: readonly Found[], message = ''): void {
  const found = all.slice(0, shownResults)
  const count = counted(all.length)
  list.replaceChildren(...found.map((each, index) => option(root, each, index)))
  panel.replaceChildren(
    ...(message ? [element('p', { class: 'no-result' }, message)] : []),
    ...(found.length > 0 ? [list] : []),
    ...(all.length > found.length
      ? [element('button', { class: 'all-results', tabindex: '-1' }, `All ${count}`)]
      : []),
  )
  const shown =
    all.length > found.length ? `Showing ${found.length} of ${count}. Press Enter to list all.` : count
  status.textContent = [message, all.length > 0 && shown].filter(Boolean).join(' ')
  panel.hidden = false
  input.setAttribute('aria-expanded', String(found.length > 0))
  input.removeAttribute('aria-activedescendant')
}

export const counted = (count: number): string => `${count} result${count === 1 ? '' : 's'}`

function option(root: string, found: Found, index: number): HTMLAnchorElement {
  const link = resultLink(root, found)
  link.id = `result-${index}`
  link.tabIndex = -1
  link.setAttribute('role', 'option')
  link.setAttribute('aria-selected', 'false')
  return link
}

function close({ panel, input }: Box): void {
  panel.hidden = true
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
