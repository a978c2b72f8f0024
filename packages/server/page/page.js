// Shows what the control interface tells; it changes nothing. Texts are set as text, whatever a client has sent.

const shownRequests = 100
const settleMilliseconds = 300

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

function showState({ worldId, clock: read, organizations }) {
  byId('world').textContent = worldId
  clock = { now: Date.parse(read.now), rate: read.rate, read: performance.now() }
  if (organizations.length > 0) byId('contents').replaceChildren(...organizations.flatMap(organizationPart))
  else
    byId('contents').replaceChildren(element('p', 'No organization. A seed or a reset puts one in.', 'quiet'))
  showClock()
}

function showClock() {
  const now = new Date(clock.now + (performance.now() - clock.read) * clock.rate)
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

async function look() {
  const response = await fetch('state')
  if (response.ok) showState(await response.json())
}

async function start() {
  const { requests } = await (await fetch(`requests?limit=${shownRequests}`)).json()
  for (const request of requests.reverse()) showRequest(request)
  await look()
  const stream = new EventSource('stream')
  const connection = byId('connection')
  stream.addEventListener('open', () => {
    connection.textContent = 'Live'
    connection.className = 'live'
    lookSoon()
  })
  stream.addEventListener('error', () => {
    connection.textContent = 'Not connected; trying again'
    connection.className = ''
  })
  stream.addEventListener('request', ({ data }) => {
    showRequest(JSON.parse(data), 'fresh')
    lookSoon()
  })
  setInterval(showClock, 250)
  // Somebody may have set the clock, or put in a seed, without a request of the API.
  setInterval(look, 5000)
}

start()
