// Shows what the control interface tells; it changes nothing. Texts are set as text, whatever a client has sent.

const shownRequests = 100
const settleMilliseconds = 300
const retryMilliseconds = 3000

const byId = (id) => document.getElementById(id)

function element(name, content, className) {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...[content].flat())
  return made
}

const spoken = (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function projectItem({ id, name, counts }) {
  const rows = Object.entries(counts).map(([kind, count]) =>
    element('div', [element('dt', spoken(kind)), element('dd', String(count))]),
  )
  return element('li', [element('h4', name), element('code', id, 'quiet'), element('dl', rows)])
}

function organizationPart({ id, name, projects }) {
  const list = element('ul', projects.map(projectItem), 'projects')
  return [element('h3', name), element('code', id, 'quiet'), list]
}

let clock = { now: Date.now(), rate: 1, read: performance.now() }

/** Where the clock of a world ends. */
const lastMoment = Date.UTC(9999, 11, 31)

function showState({ worldId, clock: read, organizations }) {
  byId('world').textContent = worldId
  clock = { now: Date.parse(read.now), rate: read.rate, read: performance.now() }
  if (organizations.length > 0) byId('contents').replaceChildren(...organizations.flatMap(organizationPart))
  else
    byId('contents').replaceChildren(element('p', 'No organization. A seed or a reset puts one in.', 'quiet'))
  showClock()
}

function showClock() {
  const now = new Date(Math.min(lastMoment, clock.now + (performance.now() - clock.read) * clock.rate))
  const shown = byId('clock')
  shown.textContent = now.toISOString().replace('T', ' ').slice(0, 19)
  shown.dateTime = now.toISOString()
  const rate = byId('rate')
  rate.textContent = clock.rate === 0 ? 'stands still' : `× ${clock.rate}`
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
  const said = notes.filter(Boolean).join('; ')
  const request = [
    element('span', operationId ?? 'no operation'),
    element('code', `${method} ${path}`, 'quiet'),
    ...(said === '' ? [] : [element('span', said, toneOf(status))]),
  ]
  const cells = [
    element('td', element('time', at.slice(11, 23), 'quiet')),
    element('td', status === 0 ? 'reset' : String(status), `status ${toneOf(status)}`),
    element('td', request, 'request'),
    element('td', principal ?? 'nobody', 'caller quiet'),
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
/** Many requests at once are one reason to look. */
function lookSoon() {
  if (waiting) return
  waiting = true
  setTimeout(async () => {
    waiting = false
    await look()
  }, settleMilliseconds)
}

/** What could not be read the next look will read. */
async function read(path) {
  const response = await fetch(path).catch(() => undefined)
  if (response?.status === 404) showGone()
  return response?.ok ? response.json() : undefined
}

async function look() {
  const state = await read('state')
  if (state) showState(state)
}

const connection = byId('connection')

function tell(text, className = '') {
  connection.textContent = text
  connection.className = className
}

let isGone = false

function showGone() {
  // Said once, and not whenever somebody looks.
  if (isGone) return
  isGone = true
  tell('This world is gone')
  byId('contents').replaceChildren(
    element('p', 'There is no such world. It appears here when it is made.', 'quiet'),
  )
  showRequests([])
}

function showRequests(newestFirst) {
  byId('requests').replaceChildren()
  byId('no-requests').hidden = false
  for (const request of [...newestFirst].reverse()) showRequest(request)
}

/** Requests that are told of while the list of them is on its way, which may hold them too. */
let meanwhile

/** Whatever was shown before may be of a server or of a world that is no more. */
async function showAll() {
  const told = []
  meanwhile = told
  const list = await read(`requests?limit=${shownRequests}`)
  if (meanwhile !== told) return
  meanwhile = undefined
  if (list) showRequests(list.requests)
  const shown = new Set(list?.requests.map(({ requestId }) => requestId))
  for (const request of told) if (!shown.has(request.requestId)) showRequest(request)
  await look()
}

function follow() {
  const stream = new EventSource('stream')
  stream.addEventListener('open', () => {
    isGone = false
    tell('Live', 'live')
    showAll()
  })
  stream.addEventListener('error', async () => {
    // A browser tries again by itself, unless it was refused: then there is no such world, or not yet again.
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, retryMilliseconds)
    await look()
    if (!isGone && stream.readyState !== EventSource.OPEN) tell('Not connected; trying again')
  })
  stream.addEventListener('request', ({ data }) => {
    const request = JSON.parse(data)
    if (meanwhile) meanwhile.push(request)
    else showRequest(request, 'fresh')
    lookSoon()
  })
  stream.addEventListener('clear', () => {
    if (meanwhile) showAll()
    else showRequests([])
    lookSoon()
  })
}

follow()
setInterval(showClock, 250)
// Somebody may have set the clock, or put in a seed, without a request of the API.
setInterval(look, 5000)
