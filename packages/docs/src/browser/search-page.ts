import { element, messageOf, rootOf } from './elements.ts'
import type { Found } from './search.ts'
import { resultLink } from './search-box.ts'
import { finderFor, withOthers } from './search-load.ts'

const root = rootOf(document.currentScript)
const place = document.querySelector('#search-page-results')
const input = document.querySelector<HTMLInputElement>('#search-page-input')
const choice = document.querySelector<HTMLSelectElement>('#search-page-version')
/** More are counted, not listed. */
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
    if (isWanted())
      fill([all.message, all.found.length > 0 && counted(all.found)].filter(Boolean).join(' '), all.found)
  } catch (error) {
    fill(messageOf(error), [])
  }
}

const counted = ({ length }: readonly Found[]): string =>
  length > shownResults
    ? `${length} results, of which the first ${shownResults} are shown.`
    : `${length} result${length === 1 ? '' : 's'}.`

function fill(message: string, found: readonly Found[]): void {
  const items = found.slice(0, shownResults).map((each) => element('li', {}, resultLink(root, each)))
  place?.replaceChildren(
    element('p', { role: 'status' }, message),
    ...(items.length > 0 ? [element('ul', { class: 'result-list' }, ...items)] : []),
  )
}

start()
