import { element, valuesKey } from './elements.ts'
import { harmless, type Values, withValues } from './sample-values.ts'

/**
 * The environment variables in the samples. The browser stores the reader's values for them until the tab is closed.
 */
const fields = [
  ['SVC_BASE_URL', 'Server', 'https://api.example.com'],
  ['SVC_GROUP_ID', 'Project ID', ''],
  ['SVC_PUBLIC_KEY', 'Public key', ''],
  ['SVC_PRIVATE_KEY', 'Private key', ''],
  ['SVC_CLIENT_ID', 'Client ID', ''],
  ['SVC_CLIENT_SECRET', 'Client secret', ''],
  ['SVC_TOKEN', 'Access token', ''],
] as const

function stored(): Values {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(valuesKey) ?? '{}')
    const entries = Object.entries(typeof read === 'object' && read !== null ? read : {})
    return Object.fromEntries(
      entries.filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && harmless.test(entry[1]),
      ),
    )
  } catch {
    return {}
  }
}

function store(values: Values): void {
  try {
    sessionStorage.setItem(valuesKey, JSON.stringify(values))
  } catch {
    // If the browser blocks storage, the values apply only to this page.
  }
}

/** The code blocks that contain requests. Responses never contain the reader's values. */
const samples = [...document.querySelectorAll<HTMLElement>('article pre code')]
  .filter((code) => /SVC_|fromEnv/.test(code.textContent ?? ''))
  .map((code) => ({ code, markup: code.innerHTML }))

function apply(values: Values): void {
  for (const { code, markup } of samples) code.innerHTML = withValues(markup, values)
}

/** Replaces the button with a form. Shows the values from the form in all samples on the page. */
function addForm(button: Element): void {
  let values = stored()
  const fault = element('p', { class: 'try-fault', role: 'status' })
  const inputs = fields.map(([name, label, placeholder]) => {
    const id = `value-${name}`
    const type = /PRIVATE|SECRET|TOKEN/.test(name) ? 'password' : 'text'
    const input = element('input', { id, name, placeholder, type, autocomplete: 'off', spellcheck: 'false' })
    input.value = values[name] ?? ''
    return { input, row: element('p', { class: 'try-field' }, element('label', { for: id }, label), input) }
  })
  const read = () => {
    const given = inputs.map(({ input }) => [input.name, input.value.trim().replace(/\/+$/, '')] as const)
    const wrong = given.find(([, value]) => !harmless.test(value))
    fault.textContent = wrong ? 'The value contains a character that isn’t allowed in a sample.' : ''
    values = Object.fromEntries(given.filter(([, value]) => value !== '' && harmless.test(value)))
    store(values)
    apply(values)
  }
  const forget = element('button', { type: 'button', class: 'plain-button' }, 'Forget')
  forget.addEventListener('click', () => {
    for (const { input } of inputs) input.value = ''
    read()
  })
  // If the reader clicked the button, open the form.
  // Otherwise, the form only shows values that the reader entered on another page.
  const isOpen = document.activeElement === button
  const form = element(
    'details',
    { class: 'sample-values', ...(isOpen && { open: '' }) },
    element('summary', {}, 'Your values in the samples'),
    element('p', {}, 'Your values stay in this browser tab and are not sent anywhere.'),
    ...inputs.map(({ row }) => row),
    fault,
    element('p', {}, forget),
  )
  form.addEventListener('input', read)
  button.replaceWith(form)
  apply(values)
  if (isOpen) inputs[0]?.input.focus()
}

const button = document.querySelector('.use-values')
if (button) addForm(button)
