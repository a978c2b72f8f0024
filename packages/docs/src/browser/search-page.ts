import { element, messageOf, rootOf } from './elements.ts'
import type { Found } from './search.ts'
import { counted, resultLink } from './search-box.ts'
import { finderFor, withOthers } from './search-load.ts'

const root = rootOf(document.currentScript)
const place = document.querySelector('#search-page-results')
const input = document.querySelector<HTMLInputElement>('#search-page-input')
const choice = document.querySelector<HTMLSelectElement>('#search-page-version')
/** The number of results to show at first. Readers can expand the list to see the rest. */
const shownResults = 60

function start(): void {
  const given = new URLSearchParams(location.search)
  const query = given.get('q') ?? ''
  const header = document.querySelector<HTMLInputElement>('.search-form input')
  for (const each of [input, header]) if (each) each.value = query
  const asked = [...(choice?.options ?? [])].find(({ value }) => value === given.get('version'))
  if (asked) asked.selected = true
  const again = () => {
    history.replaceState(null, '', `?${new URLSearchParams({ q: textOf(), version: versionOf() })}`)
    void show()
  }
  input?.addEventListener('input', again)
  choice?.addEventListener('change', again)
  input?.form?.addEventListener('submit', (event) => event.preventDefault())
  void show()
}

const textOf = (): string => input?.value ?? ''
const versionOf = (): string => choice?.value ?? ''

async function show(): Promise<void> {
  const [text, version] = [textOf(), versionOf()]
  const isWanted = () => text === textOf() && version === versionOf()
  if (text.trim() === '') return fill('', [])
  try {
    const found = (await finderFor(root, version)).find(text)
    const all = await withOthers(root, version, text, found)
    if (isWanted()) fill(all.message, all.found)
  } catch (error) {
    fill(messageOf(error), [])
  }
}

function fill(message: string, found: readonly Found[]): void {
  const items = found.map((each) => element('li', {}, resultLink(root, each)))
  const list = element('ul', { class: 'result-list' }, ...items.slice(0, shownResults))
  const rest = items.slice(shownResults)
  const count =
    rest.length > 0
      ? `${counted(found.length)}, showing the first ${shownResults}.`
      : `${counted(found.length)}.`
  const status = element(
    'p',
    { role: 'status' },
    [message, found.length > 0 && count].filter(Boolean).join(' '),
  )
  place?.replaceChildren(status, ...(items.length > 0 ? [list] : []))
  if (rest.length === 0) return
  const more = element('button', { type: 'button', class: 'send' }, `Show the other ${rest.length}`)
  more.addEventListener('click', () => {
    list.append(...rest)
    more.remove()
    status.textContent = `${counted(found.length)}, showing all.`
    // Move the focus to the first additional result.
    rest[0]?.querySelector('a')?.focus()
  })
  place?.append(more)
}

start()
