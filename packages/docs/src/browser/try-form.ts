import { element } from './elements.ts'
import type { Identity } from './exchange.ts'
import type { Filled, SandboxCredentials, TryField, TryOperation } from './try-model.ts'

const inputId = (field: TryField): string => `try-${field.place}-${field.name || 'all'}`

/** The form of one operation, made from its schema. */
export function operationForm(operation: TryOperation, credentials: SandboxCredentials): HTMLFormElement {
  const title = element(
    'p',
    { class: 'endpoint' },
    element('span', { class: `method ${operation.method.toLowerCase()}` }, operation.method),
    element('code', { class: 'path' }, operation.path),
  )
  const group = (legend: string, fields: readonly TryField[]) =>
    fields.length === 0
      ? []
      : [
          element(
            'fieldset',
            { class: 'try-group' },
            element('legend', {}, legend),
            ...fields.map((field) => inputFor(field, credentials)),
          ),
        ]
  return element(
    'form',
    { class: 'try-form', novalidate: '' },
    title,
    ...group('Parameters', operation.parameters),
    ...group('Body', operation.body ?? []),
    element('p', {}, element('button', { type: 'submit', class: 'send' }, 'Send')),
  )
}

/** The examples of the documents tell of the demo organisation; what has none begins with its ids. */
function startOf({ name, value }: TryField, { groupId, orgId }: SandboxCredentials): string {
  if (value !== undefined) return value
  if (name === 'groupId') return groupId
  return name === 'orgId' ? orgId : ''
}

function inputFor(field: TryField, credentials: SandboxCredentials): HTMLElement {
  const id = inputId(field)
  const about = element('small', { id: `${id}-about` }, field.about)
  const label = element('label', { for: id }, field.name || 'JSON', field.required ? ' *' : '')
  return element(
    'p',
    { class: 'try-field' },
    label,
    control(field, startOf(field, credentials)),
    ...suggestions(field),
    about,
  )
}

function control(field: TryField, value: string): HTMLElement {
  const id = inputId(field)
  const common = { id, 'aria-describedby': `${id}-about` }
  const closed = field.type === 'boolean' ? ['true', 'false'] : field.open ? undefined : field.values
  if (closed) {
    const options = ['', ...closed].map((each) =>
      element('option', { value: each, ...(each === value && { selected: '' }) }, each || '(not sent)'),
    )
    return element('select', common, ...options)
  }
  if (field.type === 'json') {
    const area = element('textarea', {
      ...common,
      rows: String(Math.min(14, value.split('\n').length + 1)),
      spellcheck: 'false',
    })
    area.value = value
    return area
  }
  return element('input', {
    ...common,
    value,
    autocomplete: 'off',
    spellcheck: 'false',
    ...(field.open && { list: `${id}-values` }),
  })
}

function suggestions(field: TryField): HTMLElement[] {
  if (!field.open || !field.values) return []
  return [
    element(
      'datalist',
      { id: `${inputId(field)}-values` },
      ...field.values.map((value) => element('option', { value })),
    ),
  ]
}

/** The credentials, which begin as those of the demo organisation. */
export function identityFields(
  { basic }: TryOperation,
  { apiKey, serviceAccount }: SandboxCredentials,
): HTMLElement {
  const choice = (value: string, text: string, checked: boolean) =>
    element(
      'label',
      { class: 'choice' },
      element('input', { type: 'radio', name: 'identity', value, ...(checked && { checked: '' }) }),
      ` ${text}`,
    )
  const text = (id: string, label: string, value: string) =>
    element(
      'p',
      { class: 'try-field' },
      element('label', { for: id }, label),
      element('input', { id, value, autocomplete: 'off', spellcheck: 'false' }),
    )
  return element(
    'details',
    { class: 'try-identity', open: '' },
    element('summary', {}, 'Credentials'),
    element('p', {}, 'They are those of the demo organisation; replace them to see what others may do.'),
    element(
      'p',
      {},
      ...(basic
        ? [choice('basic', 'Client credentials (Basic)', true)]
        : [choice('digest', 'API key (Digest)', true), choice('token', 'Service account (token)', false)]),
    ),
    element(
      'div',
      { class: 'try-columns' },
      ...(basic
        ? []
        : [
            text('try-public', 'Public key', apiKey.publicKey),
            text('try-private', 'Private key', apiKey.privateKey),
          ]),
      text('try-client', 'Client id', serviceAccount.clientId),
      text('try-secret', 'Client secret', serviceAccount.clientSecret),
    ),
  )
}

const valueById = (id: string): string => {
  const found = document.getElementById(id)
  const known =
    found instanceof HTMLInputElement ||
    found instanceof HTMLSelectElement ||
    found instanceof HTMLTextAreaElement
  return known ? found.value : ''
}

/** What the reader filled in. */
export function readForm({ parameters, body = [] }: TryOperation): { filled: Filled; identity: Identity } {
  const filled = [...parameters, ...body].map((field) => [field, valueById(inputId(field))] as const)
  const kind = document.querySelector<HTMLInputElement>('input[name=identity]:checked')?.value
  const account = { clientId: valueById('try-client'), clientSecret: valueById('try-secret') }
  if (kind === 'token') return { filled, identity: { kind, ...account } }
  if (kind === 'basic') return { filled, identity: { kind, ...account } }
  return {
    filled,
    identity: { kind: 'digest', publicKey: valueById('try-public'), privateKey: valueById('try-private') },
  }
}
