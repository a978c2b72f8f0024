import { addCopyButtons } from './copy.ts'
import { element, isFile, messageOf } from './elements.ts'
import { exchange, type Outgoing } from './exchange.ts'
import { showResponse } from './try-answer.ts'
import { operationForm } from './try-form.ts'
import { type IdentityForm, identityForm } from './try-identity.ts'
import { bodyOf, type Filled, type SandboxCredentials, type TryOperation, targetOf } from './try-model.ts'
import { type Choice, makePicker, type Picker } from './try-picker.ts'

const place = document.querySelector<HTMLElement>('#try')
const output = element('div', { id: 'try-output', 'aria-live': 'polite' })
const formPlace = element('div')

/** What stays on the page while operations come and go. */
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

/** Where there is no server behind the page: how to get one. */
function showAbsence(): void {
  const steps = element(
    'figure',
    { class: 'code' },
    element('pre', { tabindex: '0' }, element('code', {}, 'npm start')),
  )
  const reason = isFile() ? 'it was opened as a file' : 'it is served from a static host'
  place?.replaceChildren(
    element('p', {}, `There is no API behind this page: ${reason}. In a clone of the repository`),
    steps,
    element(
      'p',
      {},
      'starts the reference server with a demo organisation, and serves these pages in front of it. Open its address and come back to this page.',
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
  const note = wanted === version ? [] : [callout(`There is no version ${wanted}: this is ${version}.`)]
  place.replaceChildren(...note, picker.place, identity.place, formPlace, output)
  const operation = given.get('operation') ?? (await operationsOf(version))[0]?.id ?? ''
  await show(desk, { version, operation })
}

const loaded = new Map<string, Promise<TryOperation[]>>()

function operationsOf(version: string): Promise<TryOperation[]> {
  const known = loaded.get(version)
  if (known) return known
  const loading = fetch(`${place?.dataset.from}${version}.json`).then((response) => {
    if (!response.ok)
      throw new Error(`The operations of ${version} could not be loaded (${response.status}).`)
    return response.json()
  })
  loaded.set(version, loading)
  loading.catch(() => loaded.delete(version))
  return loading
}

let wanted: Choice | undefined

/** Puts the form of an operation in the place of the one before; what is typed elsewhere stays. */
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
        callout(
          `${choice.operation} is not in ${choice.version}: choose another version, or another operation.`,
        ),
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
