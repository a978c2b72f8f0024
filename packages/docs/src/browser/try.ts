import type { SharedOperation, TryOperation } from '../model/try-operation.ts'
import { addCopyButtons } from './copy.ts'
import { element, isFile, messageOf } from './elements.ts'
import { exchange, type Outgoing } from './exchange.ts'
import { operationForm } from './try-form.ts'
import { type IdentityForm, identityForm } from './try-identity.ts'
import { bodyOf, type Filled, operationsIn, type SandboxCredentials, targetOf } from './try-model.ts'
import { type Choice, makePicker, type Picker } from './try-picker.ts'
import { showResponse } from './try-response.ts'

const place = document.querySelector<HTMLElement>('#try')
const output = element('div', { id: 'try-output', 'aria-live': 'polite' })
const formPlace = element('div')

/** The parts of the page that stay when the operation changes. */
interface Desk {
  readonly credentials: SandboxCredentials
  readonly identity: IdentityForm
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

/** Explains how to start a server. */
function showAbsence(): void {
  const steps = element(
    'figure',
    { class: 'code' },
    element('pre', { tabindex: '0' }, element('code', {}, 'npm start')),
  )
  const reason = isFile() ? 'it was opened as a file' : 'it is on a static host'
  place?.replaceChildren(
    element(
      'p',
      {},
      `This page can’t send requests, because ${reason}. Run this command in a clone of the repository:`,
    ),
    steps,
    element(
      'p',
      {},
      'It starts the reference server with a demo organization and these pages. Open its address and return to this page.',
    ),
  )
  if (place) addCopyButtons(place)
}

async function start(): Promise<void> {
  if (!place) return
  const credentials = await sandbox()
  if (!credentials) return showAbsence()
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
  const desk: Desk = { credentials, identity, picker }
  const note = wanted === version ? [] : [callout(`Version ${wanted} doesn’t exist. Showing ${version}.`)]
  place.replaceChildren(...note, picker.place, identity.place, formPlace, output)
  const operation = given.get('operation') ?? (await operationsOf(version))[0]?.id ?? ''
  await show(desk, { version, operation })
}

let loaded: Promise<SharedOperation[]> | undefined

async function operationsOf(version: string): Promise<TryOperation[]> {
  loaded ??= fetch(`${place?.dataset.from}operations.json`).then((response) => {
    if (!response.ok) throw new Error(`The operations could not be loaded (${response.status}).`)
    return response.json()
  })
  // Allow another attempt.
  loaded.catch(() => {
    loaded = undefined
  })
  return operationsIn(version, await loaded)
}

let wanted: Choice | undefined

/** Replaces the form with the form of another operation. Other inputs on the page stay. */
async function show({ picker, identity, credentials }: Desk, choice: Choice): Promise<void> {
  wanted = choice
  try {
    const operations = await operationsOf(choice.version)
    if (wanted !== choice) return
    picker.list(operations, choice)
    output.replaceChildren()
    const operation = operations.find(({ id }) => id === choice.operation)
    if (!operation)
      return formPlace.replaceChildren(
        callout(`${choice.operation} is not in ${choice.version}. Choose another version or operation.`),
      )
    identity.setBasic(operation.basic)
    const form = operationForm(operation, credentials)
    form.place.addEventListener('submit', (event) => {
      event.preventDefault()
      const filled = form.read()
      if (filled) void send(operation, choice.version, filled, identity)
    })
    formPlace.replaceChildren(form.place)
  } catch (error) {
    formPlace.replaceChildren(callout(messageOf(error)))
  }
}

const callout = (text: string): HTMLElement => element('p', { class: 'callout warn', role: 'alert' }, text)

async function send(
  operation: TryOperation,
  version: string,
  filled: Filled,
  form: IdentityForm,
): Promise<void> {
  const identity = form.read()
  const tokenPath = place?.dataset.token ?? ''
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
  try {
    const incoming = await exchange(request, identity, {
      fetch: fetch.bind(window),
      now: () => performance.now(),
      cnonce: () => crypto.randomUUID?.() ?? String(performance.now()),
      tokenPath,
    })
    showResponse(output, incoming, { operation, version, filled, identity, request, tokenPath })
  } catch (error) {
    output.replaceChildren(callout(messageOf(error)))
  }
}

void start().catch((error) => place?.replaceChildren(callout(messageOf(error))))
