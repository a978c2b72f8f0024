import type { TryOperation } from '../model/try-operation.ts'
import { shellWord } from '../samples/curl.ts'
import { typescriptProgram } from '../samples/typescript.ts'
import { addCopyButtons } from './copy.ts'
import { element } from './elements.ts'
import type { Identity, Incoming, Outgoing } from './exchange.ts'
import { type Filled, jsonValue } from './try-model.ts'

/** A sent request and the inputs that it was created from. */
export interface Sent {
  readonly operation: TryOperation
  readonly version: string
  readonly filled: Filled
  readonly identity: Identity
  readonly request: Outgoing
  readonly tokenPath: string
}

/** Shows a response. Below the response, shows the request as a curl command and in TypeScript. */
export function showResponse(output: HTMLElement, incoming: Incoming, sent: Sent): void {
  const { status, reason, headers, body, milliseconds } = incoming
  const block = (label: string, text: string) =>
    element(
      'figure',
      { class: 'code' },
      element('figcaption', {}, label),
      element('pre', { tabindex: '0' }, element('code', {}, text)),
    )
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  output.replaceChildren(
    element('h2', { id: 'response' }, 'Response'),
    element(
      'p',
      {},
      element('span', { class: `badge ${status < 400 ? 'good' : 'bad'}` }, `${status} ${reason}`),
      ` in ${milliseconds} ms`,
    ),
    block('Body', pretty(body)),
    block('Headers', lines),
    block('curl', curlOf(sent)),
    block('TypeScript', programOf(sent)),
  )
  addCopyButtons(output)
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body || '(empty)'
  }
}

function curlOf({ request: { method, base, target, headers, body }, identity, tokenPath }: Sent): string {
  const account =
    identity.kind === 'digest'
      ? `${identity.publicKey}:${identity.privateKey}`
      : `${identity.clientId}:${identity.clientSecret}`
  const credentials =
    identity.kind === 'token'
      ? `-H "Authorization: Bearer $(curl -sS -u ${shellWord(account)} -d grant_type=client_credentials ${base || location.origin}${tokenPath} | sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')"`
      : `${identity.kind === 'digest' ? '--digest ' : ''}-u ${shellWord(account)}`
  return [
    `curl -sS ${credentials}`,
    `-X ${method}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${shellWord(body)}`]),
    shellWord((base || location.origin) + target),
  ].join(' \\\n  ')
}

function programOf({ operation, version, filled }: Sent): string {
  const given = filled
    .filter(([, value]) => value !== '')
    .map(([field, value]) => [field, jsonValue(field, value)] as const)
  const named = (inBody: boolean) =>
    Object.fromEntries(
      given.filter(([{ place }]) => (place === 'body') === inBody).map(([{ name }, value]) => [name, value]),
    )
  const whole = given.find(([{ place, name }]) => place === 'body' && name === '')
  return typescriptProgram({
    operationId: operation.id,
    version,
    arguments: named(false),
    ...(operation.contentType && { body: whole ? whole[1] : named(true) }),
    // The sample requests only one page, because the response above it is also a single page.
    paged: false,
  })
}
