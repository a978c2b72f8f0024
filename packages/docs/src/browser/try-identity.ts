import { element } from './elements.ts'
import type { Identity } from './exchange.ts'
import type { SandboxCredentials } from './try-model.ts'

/** The form for credentials. Values stay in the form when the reader selects another operation. */
export interface IdentityForm {
  readonly place: HTMLElement
  /**
   * Selects the inputs to show. Operations with Basic authentication always use a service account. For all other
   * operations, the reader chooses between an API key and a service account.
   */
  setBasic(basic: boolean): void
  read(): Identity
}

/**
 * Creates the form. On servers with a demo organization, the form initially contains the demo organization's
 * credentials.
 */
export function identityForm({ apiKey, serviceAccount }: SandboxCredentials): IdentityForm {
  const keys = [
    textField('try-public', 'Public key', apiKey.publicKey),
    textField('try-private', 'Private key', apiKey.privateKey),
  ]
  const account = [
    textField('try-client', 'Client ID', serviceAccount.clientId),
    textField('try-secret', 'Client secret', serviceAccount.clientSecret),
  ]
  const digest = choiceOf('digest', 'API key (Digest)', true)
  const token = choiceOf('token', 'Service account (token)', false)
  const choices = element('p', {}, digest.label, token.label)
  const client = element('p', {}, 'This operation uses a service account’s client ID and secret (Basic).')
  let isBasic = false
  const draw = () => {
    choices.hidden = isBasic
    client.hidden = !isBasic
    const takesKey = !isBasic && digest.input.checked
    for (const { row } of keys) row.hidden = !takesKey
    for (const { row } of account) row.hidden = takesKey
  }
  choices.addEventListener('change', draw)
  draw()
  return {
    place: identityBox(
      apiKey.publicKey
        ? 'These are the demo organization’s credentials. Replace them to test other roles.'
        : 'This page sends the credentials only to the server above, and doesn’t store them.',
      choices,
      client,
      ...[...keys, ...account].map(({ row }) => row),
    ),
    setBasic: (basic) => {
      isBasic = basic
      draw()
    },
    read: () => {
      const [publicKey = '', privateKey = ''] = keys.map(({ input }) => input.value)
      const [clientId = '', clientSecret = ''] = account.map(({ input }) => input.value)
      if (isBasic) return { kind: 'basic', clientId, clientSecret }
      return token.input.checked
        ? { kind: 'token', clientId, clientSecret }
        : { kind: 'digest', publicKey, privateKey }
    },
  }
}

const identityBox = (about: string, ...parts: HTMLElement[]): HTMLElement =>
  element(
    'details',
    { class: 'try-identity', open: '' },
    element('summary', {}, 'Credentials'),
    element('p', {}, about),
    ...parts,
  )

function choiceOf(value: string, text: string, checked: boolean) {
  const input = element('input', { type: 'radio', name: 'identity', value, ...(checked && { checked: '' }) })
  return { input, label: element('label', { class: 'choice' }, input, ` ${text}`) }
}

function textField(id: string, label: string, value: string) {
  const input = element('input', { id, value, autocomplete: 'off', spellcheck: 'false' })
  return { input, row: element('p', { class: 'try-field' }, element('label', { for: id }, label), input) }
}
