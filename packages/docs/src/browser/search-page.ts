import { element, rootOf } from './elements.ts'
import { finderFor, resultLink } from './search-box.ts'

const root = rootOf(document.currentScript)
const query = new URLSearchParams(location.search).get('q') ?? ''
const place = document.querySelector('#search-page-results')

async function show(): Promise<void> {
  if (!place) return
  const input = document.querySelector<HTMLInputElement>('#search-page-input')
  const header = document.querySelector<HTMLInputElement>('.search-form input')
  for (const each of [input, header]) if (each) each.value = query
  const finder = await finderFor(root)
  const render = (text: string) => {
    const found = text.trim() === '' ? [] : finder.find(text, 60)
    const items = found.map((each) => element('li', {}, resultLink(root, each)))
    const count = element('p', { role: 'status' }, text.trim() === '' ? '' : `${found.length} results`)
    place.replaceChildren(count, element('ul', { class: 'result-list' }, ...items))
  }
  render(query)
  input?.addEventListener('input', () => {
    render(input.value)
    history.replaceState(null, '', `?${new URLSearchParams({ q: input.value })}`)
  })
  input?.form?.addEventListener('submit', (event) => event.preventDefault())
}

void show()
