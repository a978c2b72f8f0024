import { shellWord } from '../samples/curl.ts'
import { literal } from '../samples/typescript.ts'
import { addCopyButtons } from './copy.ts'
import { element } from './elements.ts'
import { exchange, type Identity, type Incoming, type Outgoing } from './exchange.ts'
import { identityFields, operationForm, readForm } from './try-form.ts'
import {
  bodyOf,
  type Filled,
  jsonValue,
  type SandboxCredentials,
  type TryOperation,
  targetOf,
} from './try-model.ts'

const place = document.querySelector<HTMLElement>('#try')
const output = element('div', { id: 'try-output', 'aria-live': 'polite' })

async function sandbox(): Promise<SandboxCredentials | undefined> {
  try {
    const answer = await fetch('/sandbox/credentials.json', { credentials: 'omit' })
    return answer.ok ? await answer.json() : undefined
  } catch {
    return undefined
  }
}

/** Where there is no server behind the page: how to get one. */
function showAbsence(): void {
  const steps = element(
    'figure',
    { class: 'code' },
    element('pre', { tabindex: '0' }, element('code', {}, 'npm start')),
  )
  place?.replaceChildren(
    element(
      'p',
      {},
      'There is no API behind this page: it is served from a static host. In a clone of the repository',
    ),
    steps,
    element(
      'p',
      {},
      'starts the reference server with a demo organisation, and serves these pages in front of it. Open its address and come back to this page.',
    ),
  )
  if (place) addCopyButtons(place)
}

function select(label: string, id: string, options: readonly Node[]): HTMLElement {
  const input = element('select', { id }, ...options)
  return element('p', { class: 'try-field' }, element('label', { for: id }, label), input)
}

async function start(): Promise<void> {
  if (!place) return
  const credentials = await sandbox()
  if (!credentials) return showAbsence()
  const parameters = new URLSearchParams(location.search)
  const versions = (place.dataset.versions ?? '').split(' ')
  const version = versions.find((each) => each === parameters.get('version')) ?? place.dataset.newest ?? ''
  const answer = await fetch(`${place.dataset.from}${version}.json`)
  const operations: TryOperation[] = await answer.json()
  const current = operations.find(({ id }) => id === parameters.get('operation')) ?? operations[0]
  if (!current) return
  const option = (value: string, text: string, selected: boolean) =>
    element('option', { value, ...(selected && { selected: '' }) }, text)
  const areas = [...new Set(operations.map(({ tag }) => tag))].map((tag) =>
    element(
      'optgroup',
      { label: tag },
      ...operations
        .filter((each) => each.tag === tag)
        .map((each) => option(each.id, each.summary, each === current)),
    ),
  )
  const form = operationForm(current, credentials)
  place.replaceChildren(
    select(
      'Version',
      'try-version',
      versions.map((each) => option(each, each, each === version)),
    ),
    select('Operation', 'try-operation', areas),
    identityFields(current, credentials),
    form,
    output,
  )
  const go = () => {
    const chosen = (id: string) => document.querySelector<HTMLSelectElement>(id)?.value ?? ''
    location.search = String(
      new URLSearchParams({ operation: chosen('#try-operation'), version: chosen('#try-version') }),
    )
  }
  for (const id of ['#try-version', '#try-operation'])
    document.querySelector(id)?.addEventListener('change', go)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(current, version)
  })
}

async function send(operation: TryOperation, version: string): Promise<void> {
  try {
    const { filled, identity } = readForm(operation)
    const body = bodyOf(operation, filled)
    const request: Outgoing = {
      method: operation.method,
      target: targetOf(operation, filled),
      headers: {
        Accept: operation.accept,
        ...(operation.contentType && { 'Content-Type': operation.contentType }),
      },
      ...(body !== undefined && { body }),
    }
    output.replaceChildren(element('p', {}, 'Sending …'))
    const tools = {
      fetch: fetch.bind(window),
      now: () => performance.now(),
      cnonce: () => crypto.randomUUID?.() ?? String(performance.now()),
      tokenPath: place?.dataset.token ?? '',
    }
    const incoming = await exchange(request, identity, tools)
    showAnswer(incoming, curlOf(request, identity), programOf(operation, version, filled))
  } catch (error) {
    output.replaceChildren(
      element(
        'p',
        { class: 'callout bad', role: 'alert' },
        error instanceof Error ? error.message : String(error),
      ),
    )
  }
}

function showAnswer(
  { status, reason, headers, body, milliseconds }: Incoming,
  curl: string,
  program: string,
): void {
  const block = (label: string, text: string) =>
    element(
      'figure',
      { class: 'code' },
      element('figcaption', {}, label),
      element('pre', { tabindex: '0' }, element('code', {}, text)),
    )
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  output.replaceChildren(
    element('h2', { id: 'answer' }, 'Answer'),
    element(
      'p',
      {},
      element('span', { class: `badge ${status < 400 ? 'good' : 'bad'}` }, `${status} ${reason}`),
      ` in ${milliseconds} ms`,
    ),
    block('Body', pretty(body)),
    block('Headers', lines),
    block('The same with curl', curl),
    block('The same in TypeScript', program),
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

function curlOf({ method, target, headers, body }: Outgoing, identity: Identity): string {
  const account =
    identity.kind === 'digest'
      ? `${identity.publicKey}:${identity.privateKey}`
      : `${identity.clientId}:${identity.clientSecret}`
  const credentials =
    identity.kind === 'token'
      ? `-H "Authorization: Bearer $(curl -sS -u ${shellWord(account)} -d grant_type=client_credentials ${location.origin}${place?.dataset.token} | sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')"`
      : `${identity.kind === 'digest' ? '--digest ' : ''}-u ${shellWord(account)}`
  return [
    `curl -sS ${credentials}`,
    `-X ${method}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${shellWord(body)}`]),
    shellWord(location.origin + target),
  ].join(' \\\n  ')
}

function programOf({ id, contentType }: TryOperation, version: string, filled: Filled): string {
  const given = filled.filter(([, value]) => value !== '')
  const parameters = given.filter(([{ place: where }]) => where !== 'body')
  const members = given.filter(([{ place: where }]) => where === 'body')
  const whole = members.find(([{ name }]) => name === '')
  const body = whole
    ? jsonValue(...whole)
    : Object.fromEntries(members.map(([field, value]) => [field.name, jsonValue(field, value)]))
  const values = {
    ...Object.fromEntries(parameters.map(([field, value]) => [field.name, jsonValue(field, value)])),
    ...(contentType && { body }),
  }
  return [
    "import { createClient } from '@svc-admin/client'",
    '',
    `const client = createClient({ baseUrl: '${location.origin}', credentials, version: '${version}' })`,
    `console.log(await client.${id}(${Object.keys(values).length > 0 ? literal(values) : ''}))`,
  ].join('\n')
}

void start()
