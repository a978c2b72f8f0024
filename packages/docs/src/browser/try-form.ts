import type { PagedOperation, TryField } from '../model/try-operation.ts'
import { breakable, element } from './elements.ts'
import { type Filled, problemOf, type SandboxCredentials } from './try-model.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** An operation's form, generated from its schema. */
export interface OperationForm {
  readonly place: HTMLFormElement
  /**
   * Returns the values that the reader entered. If values are invalid, shows an error at each invalid input, moves the
   * focus to the first of them, and returns `undefined`.
   */
  read(): Filled | undefined
}

interface Row {
  readonly field: TryField
  readonly place: HTMLElement
  readonly control: Control
  readonly fault: HTMLElement
}

export function operationForm(
  operation: PagedOperation,
  credentials: SandboxCredentials,
  root: string,
): OperationForm {
  const rowOfField = (field: TryField) => rowOf(field, startOf(field, credentials))
  const parameters = operation.parameters.map(rowOfField)
  const body = (operation.body ?? []).map(rowOfField)
  const rows = [...parameters, ...body]
  const title = element(
    'p',
    { class: 'endpoint' },
    element('span', { class: `method ${operation.method.toLowerCase()}` }, operation.method),
    element('code', { class: 'path' }, operation.path),
  )
  const place = element(
    'form',
    // With `novalidate`, the page shows errors at the inputs instead of browser popups.
    { class: 'try-form', novalidate: '' },
    title,
    element('p', {}, element('a', { href: root + operation.page }, `Reference: ${operation.summary}`)),
    ...groupOf('Parameters', parameters),
    ...groupOf('Body', body),
    element('p', {}, element('button', { type: 'submit', class: 'send' }, 'Send')),
  )
  return { place, read: () => readRows(rows) }
}

function groupOf(legend: string, rows: readonly Row[]): HTMLElement[] {
  if (rows.length === 0) return []
  const places = rows.map(({ place }) => place)
  return [element('fieldset', { class: 'try-group' }, element('legend', {}, legend), ...places)]
}

function readRows(rows: readonly Row[]): Filled | undefined {
  const faulty = rows.filter((row) => !isSound(row))
  faulty[0]?.control.focus()
  return faulty.length > 0 ? undefined : rows.map(({ field, control }) => [field, control.value])
}

function isSound({ field, control, fault }: Row): boolean {
  const problem = problemOf(field, control.value)
  fault.textContent = problem ?? ''
  if (problem === undefined) control.removeAttribute('aria-invalid')
  else control.setAttribute('aria-invalid', 'true')
  return problem === undefined
}

/**
 * Returns the initial value of a field. Without an example, project and organization IDs default to the IDs from the
 * demo organization.
 */
function startOf({ name, value }: TryField, { groupId, orgId }: SandboxCredentials): string {
  if (value !== undefined) return value
  if (name === 'groupId') return groupId
  return name === 'orgId' ? orgId : ''
}

function rowOf(field: TryField, value: string): Row {
  const id = `try-${field.place}-${field.name || 'all'}`
  const control = controlOf(field, id, value)
  const fault = element('span', { id: `${id}-fault`, class: 'try-fault' })
  const mark = field.required ? [element('span', { 'aria-hidden': 'true' }, ' *')] : []
  const place = element(
    'p',
    { class: 'try-field' },
    element('label', { for: id }, ...breakable(field.name || 'JSON'), ...mark),
    control,
    ...suggestions(field, id),
    fault,
    element('small', { id: `${id}-about` }, field.about),
  )
  const row = { field, place, control, fault }
  // Inputs aren't validated on blur because a new message could move the button that the reader is clicking.
  control.addEventListener('input', () => {
    if (control.hasAttribute('aria-invalid')) isSound(row)
  })
  return row
}

function controlOf(field: TryField, id: string, value: string): Control {
  const common = {
    id,
    'aria-describedby': `${id}-fault ${id}-about`,
    ...(field.required && { required: '' }),
  }
  const closed = field.type === 'boolean' ? ['true', 'false'] : field.open ? undefined : field.values
  if (closed) {
    const options = ['', ...closed].map((each) =>
      element('option', { value: each, ...(each === value && { selected: '' }) }, each || '(not sent)'),
    )
    return element('select', common, ...options)
  }
  if (field.type === 'json') {
    const rows = String(Math.min(14, value.split('\n').length + 1))
    const area = element('textarea', { ...common, rows, spellcheck: 'false' })
    area.value = value
    return area
  }
  return element('input', {
    ...common,
    value,
    autocomplete: 'off',
    spellcheck: 'false',
    ...(field.type !== 'string' && { inputmode: 'decimal' }),
    ...(field.open && { list: `${id}-values` }),
  })
}

function suggestions(field: TryField, id: string): HTMLElement[] {
  if (!field.open || !field.values) return []
  const options = field.values.map((value) => element('option', { value }))
  return [element('datalist', { id: `${id}-values` }, ...options)]
}
