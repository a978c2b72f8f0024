import type { TryOperation } from '../model/try-operation.ts'
import { element } from './elements.ts'

export interface Choice {
  readonly version: string
  readonly operation: string
}

export interface Picker {
  readonly place: HTMLElement
  /**
   * Lists the operations in a version. If the version doesn't have the selected operation, the list keeps this
   * operation and marks it.
   */
  list(operations: readonly TryOperation[], chosen: Choice): void
}

export function makePicker(versions: readonly string[], choose: (choice: Choice) => void): Picker {
  const version = element('select', { id: 'try-version' }, ...versions.map((id) => option(id, id)))
  const filter = element('input', {
    id: 'try-filter',
    type: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const operation = element('select', { id: 'try-operation' })
  const count = element('small', { role: 'status' })
  let all: readonly TryOperation[] = []
  let now: Choice = { version: '', operation: '' }
  const draw = () => {
    const found = all.filter((each) => bears(each, filter.value))
    count.textContent = filter.value.trim() === '' ? '' : `${found.length} of ${all.length} operations`
    // Keep the selected operation in the list.
    // Otherwise, the list would show a different operation as selected.
    const chosen = all.find(({ id }) => id === now.operation)
    const listed = chosen && !found.includes(chosen) ? [chosen, ...found] : found
    const absent = chosen ? [] : [option('', `${now.operation} is not in ${now.version}`)]
    operation.replaceChildren(...absent, ...areasOf(listed))
    operation.value = chosen?.id ?? ''
  }
  filter.addEventListener('input', draw)
  filter.addEventListener('keydown', (event) => {
    const [first] = all.filter((each) => bears(each, filter.value))
    if (event.key === 'Enter' && first) choose({ ...now, operation: first.id })
  })
  version.addEventListener('change', () => choose({ ...now, version: version.value }))
  operation.addEventListener('change', () => choose({ ...now, operation: operation.value }))
  return {
    place: element(
      'div',
      {},
      row('Version', version),
      row('Filter operations', filter, count),
      row('Operation', operation),
    ),
    list: (operations, chosen) => {
      all = operations
      now = chosen
      version.value = chosen.version
      draw()
    },
  }
}

const row = (label: string, control: HTMLElement, ...after: HTMLElement[]): HTMLElement =>
  element('p', { class: 'try-field' }, element('label', { for: control.id }, label), control, ...after)

const option = (value: string, text: string) => element('option', { value }, text)

/** Returns whether all words occur in the operation's ID, summary, path or area. */
function bears({ id, summary, method, path, tag }: TryOperation, words: string): boolean {
  const text = `${id} ${summary} ${method} ${path} ${tag}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function areasOf(operations: readonly TryOperation[]): HTMLElement[] {
  return [...new Set(operations.map(({ tag }) => tag))].map((tag) => {
    const own = operations.filter((each) => each.tag === tag)
    return element('optgroup', { label: tag }, ...own.map(({ id, summary }) => option(id, summary)))
  })
}
