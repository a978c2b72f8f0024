import type { PagedOperation, SharedOperation } from '../model/try-operation.ts'
import { element, fileAdvice, isFile, messageOf, remembered, rootOf } from './elements.ts'
import { exchange, type Outgoing } from './exchange.ts'
import { operationForm } from './try-form.ts'
import { type IdentityForm, identityForm } from './try-identity.ts'
import {
  bodyOf,
  type Filled,
  noCredentials,
  operationsIn,
  type SandboxCredentials,
  serverAddress,
  targetOf,
  unpacked,
} from './try-model.ts'
import { type Choice, makePicker, type Picker } from './try-picker.ts'
import { showResponse } from './try-response.ts'

const root = rootOf(document.currentScript)
const place = document.querySelector<HTMLElement>('#try')
const output = element('div', { id: 'try-output', 'aria-live': 'polite' })
const formPlace = element('div')

/** The parts of the page that stay the same when the reader selects another operation. */
interface Desk {
  readonly credentials: SandboxCredentials
  readonly identity: IdentityForm
  readonly server: ServerField
  readonly picker: Picker
}

async function sandbox(): Promise<SandboxCredentials | undefined> {
  try {
    const response = await fetch('/sandbox/credentials.json', { credentials: 'omit' })
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

interface ServerField {
  readonly place: HTMLElement
  /**
   * Returns the server's address. For the server that hosts the page, the address is an empty string. If the address is
   * invalid, moves the focus to the field and returns `undefined`.
   */
  read(): string | undefined
}

const sentHeaders = ['Authorization', 'Accept', 'Content-Type'].join(', ')

/**
 * Creates the input for the server's address. If the site is on a static host, the reader must enter the address of a
 * server that accepts requests from this page.
 */
function serverField(isHosted: boolean): ServerField {
  const value = isHosted ? location.origin : (remembered.get('server') ?? '')
  const input = element('input', {
    id: 'try-server',
    type: 'url',
    value,
    placeholder: 'https://api.example.com',
    spellcheck: 'false',
    'aria-describedby': 'try-server-fault try-server-about',
  })
  const fault = element('span', { class: 'try-fault', id: 'try-server-fault' })
  const about = isHosted
    ? 'The server that hosts this page.'
    : `The server must allow requests from ${location.origin} (CORS).`
  return {
    place: element(
      'div',
      { class: 'try-field' },
      element('label', { for: input.id }, 'Server'),
      input,
      fault,
      element('small', { id: 'try-server-about' }, about),
      ...(isHosted ? [] : [corsHelp()]),
    ),
    read: () => {
      const given = serverAddress(input.value)
      fault.textContent = given === undefined ? 'Enter an address that starts with https:// or http://.' : ''
      if (given === undefined) input.focus()
      else if (!isHosted) remembered.set('server', given)
      return given === location.origin ? '' : given
    },
  }
}

/**
 * Lists the headers that other servers must send. This list is collapsed because most readers use a server that already
 * sends these headers.
 */
function corsHelp(): HTMLElement {
  return element(
    'details',
    {},
    element('summary', {}, 'Headers that the server must send'),
    element(
      'p',
      {},
      `All responses need Access-Control-Allow-Origin. Preflight responses also need Access-Control-Allow-Methods, and Access-Control-Allow-Headers with ${sentHeaders}. For API keys, the server must expose WWW-Authenticate.`,
    ),
    element(
      'p',
      {},
      'The reference server doesn’t send these headers. Use the copy of this page that npm start serves, or a proxy that adds the headers.',
    ),
  )
}

async function start(): Promise<void> {
  if (!place) return
  if (isFile()) return place.replaceChildren(callout(fileAdvice))
  const hosted = await sandbox()
  const credentials = hosted ?? noCredentials
  const versions = (place.dataset.versions ?? '').split(' ')
  const newest = place.dataset.newest ?? ''
  const given = new URLSearchParams(location.search)
  const wanted = given.get('version') ?? newest
  const version = versions.includes(wanted) ? wanted : newest
  const identity = identityForm(credentials)
  const picker = makePicker(versions, (choice) => {
    history.replaceState(null, '', `?${new URLSearchParams({ ...choice })}`)
    void show(desk, choice)
  })
  const server = serverField(hosted !== undefined)
  const desk: Desk = { credentials, identity, server, picker }
  const note = wanted === version ? [] : [callout(`Version ${wanted} doesn’t exist. Showing ${version}.`)]
  place.replaceChildren(...note, server.place, picker.place, identity.place, formPlace, output)
  const operation = given.get('operation') ?? (await operationsOf(version))[0]?.id ?? ''
  await show(desk, { version, operation })
}

let loaded: Promise<SharedOperation[]> | undefined

async function operationsOf(version: string): Promise<PagedOperation[]> {
  loaded ??= fetch(`${place?.dataset.from}operations.json`).then(async (response) => {
    if (!response.ok) throw new Error(`The operations could not be loaded (${response.status}).`)
    return unpacked(await response.json())
  })
  // If loading fails, discard the promise so that the next call tries again.
  loaded.catch(() => {
    loaded = undefined
  })
  return operationsIn(version, await loaded)
}

let wanted: Choice | undefined

/** Shows the form for another operation. All other inputs on the page stay unchanged. */
async function show({ picker, identity, server, credentials }: Desk, choice: Choice): Promise<void> {
  wanted = choice
  try {
    const operations = await operationsOf(choice.version)
    if (wanted !== choice) return
    picker.list(operations, choice)
    output.replaceChildren()
    const operation = operations.find(({ id }) => id === choice.operation)
    if (!operation)
      return formPlace.replaceChildren(
        callout(`${choice.operation} is not in ${choice.version}. Choose a different version or operation.`),
      )
    identity.setBasic(operation.basic)
    const form = operationForm(operation, credentials, root)
    form.place.addEventListener('submit', (event) => {
      event.preventDefault()
      const base = server.read()
      const filled = form.read()
      if (base !== undefined && filled)
        void send({ operation, version: choice.version, filled, base }, identity)
    })
    formPlace.replaceChildren(form.place)
  } catch (error) {
    formPlace.replaceChildren(callout(messageOf(error)))
  }
}

const callout = (text: string): HTMLElement => element('p', { class: 'callout warn', role: 'alert' }, text)

interface Prepared {
  readonly operation: PagedOperation
  readonly version: string
  readonly filled: Filled
  readonly base: string
}

async function send({ operation, version, filled, base }: Prepared, form: IdentityForm): Promise<void> {
  const identity = form.read()
  const tokenPath = place?.dataset.token ?? ''
  const body = bodyOf(operation, filled)
  const request: Outgoing = {
    method: operation.method,
    base,
    target: targetOf(operation, filled),
    headers: {
      Accept: operation.accept,
      ...(operation.contentType && { 'Content-Type': operation.contentType }),
    },
    ...(body !== undefined && { body }),
  }
  output.replaceChildren(element('p', {}, 'Sending …'))
  try {
    const incoming = await exchange(request, identity, {
      fetch: fetch.bind(window),
      now: () => performance.now(),
      cnonce: () => crypto.randomUUID?.() ?? String(performance.now()),
      tokenPath,
    })
    showResponse(output, incoming, { operation, version, filled, identity, request, tokenPath })
  } catch (error) {
    output.replaceChildren(callout(base === '' ? messageOf(error) : remoteMessage(error, base)))
  }
}

/**
 * Explains why a request to another server may have failed. Browsers report the same error if the server can't be
 * reached and if its response has no CORS headers.
 */
const remoteMessage = (error: unknown, base: string): string =>
  error instanceof TypeError
    ? `No readable response from ${base}. Check that the server is running and that it allows requests from ${location.origin} (CORS).`
    : messageOf(error)

void start().catch((error) => place?.replaceChildren(callout(messageOf(error))))
