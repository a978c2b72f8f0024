/**
 * A read-only page that shows the state from the control interface. To prevent attacks, data from clients is only
 * inserted as text, never as HTML.
 */

const shownRequests = 100
const settleMilliseconds = 300
const retryMilliseconds = 3000

const byId = (id) => document.getElementById(id)

function element(name, content, className) {
  const created = document.createElement(name)
  if (className) created.className = className
  created.append(...[content].flat())
  return created
}

const toWords = (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function projectItem({ id, name, counts }) {
  const rows = Object.entries(counts).map(([kind, count]) =>
    element('div', [element('dt', toWords(kind)), element('dd', String(count))]),
  )
  return element('li', [element('h4', name), element('code', id, 'quiet'), element('dl', rows)])
}

function organizationPart({ id, name, projects }) {
  const list = element('ul', projects.map(projectItem), 'projects')
  return [element('h3', name), element('code', id, 'quiet'), list]
}

let clock = { now: Date.now(), rate: 1, read: performance.now() }

/** The latest time that the clock of a world can show. */
const lastMoment = Date.UTC(9999, 11, 31)

function showState({ worldId, clock: read, organizations }) {
  byId('world').textContent = worldId
  clock = { now: Date.parse(read.now), rate: read.rate, read: performance.now() }
  if (organizations.length > 0) byId('contents').replaceChildren(...organizations.flatMap(organizationPart))
  else
    byId('contents').replaceChildren(
      element('p', 'No organizations. To add one, seed or reset the world.', 'quiet'),
    )
  showClock()
}

function showClock() {
  const now = new Date(Math.min(lastMoment, clock.now + (performance.now() - clock.read) * clock.rate))
  const shown = byId('clock')
  shown.textContent = now.toISOString().replace('T', ' ').slice(0, 19)
  shown.dateTime = now.toISOString()
  const rate = byId('rate')
  rate.textContent = clock.rate === 0 ? 'stopped' : `× ${clock.rate}`
  rate.hidden = clock.rate === 1
}

const toneOf = (status) => (status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good')

function requestRow({
  at,
  status,
  method,
  path,
  operationId,
  principal,
  milliseconds,
  errorCode,
  unread,
  fault,
}) {
  const notes = [errorCode, fault && `fault: ${fault}`, unread.length > 0 && `not read: ${unread.join(', ')}`]
  const details = notes.filter(Boolean).join('; ')
  const request = [
    element('span', operationId ?? 'no operation'),
    element('code', `${method} ${path}`, 'quiet'),
    ...(details === '' ? [] : [element('span', details, toneOf(status))]),
  ]
  const cells = [
    element('td', element('time', at.slice(11, 23), 'quiet')),
    element('td', status === 0 ? 'reset' : String(status), `status ${toneOf(status)}`),
    element('td', request, 'request'),
    element('td', principal ?? 'anonymous', 'caller quiet'),
    element('td', milliseconds.toFixed(1), 'number quiet'),
  ]
  return element('tr', cells)
}

function showRequest(request, className) {
  const rows = byId('requests')
  const row = requestRow(request)
  if (className) row.className = className
  rows.prepend(row)
  while (rows.children.length > shownRequests) rows.lastElementChild.remove()
  byId('no-requests').hidden = rows.children.length > 0
}

let waiting = false
/** Refreshes the page soon. Several calls in a short time cause only one refresh. */
function refreshSoon() {
  if (waiting) return
  waiting = true
  setTimeout(async () => {
    waiting = false
    await refresh()
  }, settleMilliseconds)
}

/** Reads data from the control interface. Errors are ignored, because the page tries again on the next refresh. */
async function read(path) {
  const response = await fetch(path).catch(() => undefined)
  if (response?.status === 404) showGone()
  return response?.ok ? response.json() : undefined
}

async function refresh() {
  const state = await read('state')
  if (state) showState(state)
}

const connection = byId('connection')

function showConnection(text, className = '') {
  connection.textContent = text
  connection.className = className
}

let isGone = false

function showGone() {
  // Show this message only once, not on every refresh.
  if (isGone) return
  isGone = true
  showConnection("This world doesn't exist")
  byId('contents').replaceChildren(
    element('p', 'The world will appear here once it has been created.', 'quiet'),
  )
  showRequests([])
}

function showRequests(newestFirst) {
  byId('requests').replaceChildren()
  byId('no-requests').hidden = false
  for (const request of [...newestFirst].reverse()) showRequest(request)
}

/** The requests that the stream has reported while the list was loading. Some of them may also be in the list. */
let buffered

/** Replaces everything on the page, because the old content may be from a different server or world. */
async function showAll() {
  const received = []
  buffered = received
  const list = await read(`requests?limit=${shownRequests}`)
  if (buffered !== received) return
  buffered = undefined
  if (list) showRequests(list.requests)
  const shown = new Set(list?.requests.map(({ requestId }) => requestId))
  for (const request of received) if (!shown.has(request.requestId)) showRequest(request)
  await refresh()
}

function follow() {
  const stream = new EventSource('stream')
  stream.addEventListener('open', () => {
    isGone = false
    showConnection('Live', 'live')
    showAll()
  })
  stream.addEventListener('error', async () => {
    /**
     * Reconnects if the server has rejected the stream, for example because the world doesn't exist yet. In all other
     * cases, browsers reconnect automatically.
     */
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, retryMilliseconds)
    await refresh()
    if (!isGone && stream.readyState !== EventSource.OPEN) showConnection('Disconnected. Reconnecting…')
  })
  stream.addEventListener('request', ({ data }) => {
    const request = JSON.parse(data)
    if (buffered) buffered.push(request)
    else showRequest(request, 'fresh')
    refreshSoon()
  })
  stream.addEventListener('clear', () => {
    if (buffered) showAll()
    else showRequests([])
    refreshSoon()
  })
}

follow()
setInterval(showClock, 250)
// Refresh regularly, because the clock and the contents can change without an API request.
setInterval(refresh, 5000)
