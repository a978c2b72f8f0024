import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findPostgres, usableBy } from './postgres-binaries.ts'

/** A PostgreSQL cluster for tests. The cluster is either started by this module or provided by the developer. */
export interface PostgresCluster {
  /** Creates an empty database and returns its address. */
  createDatabase(): Promise<string>
  /**
   * Kills the PostgreSQL server with SIGKILL. All processes of the server then exit, because their shared memory may be
   * inconsistent.
   */
  kill(): Promise<void>
  /** Restarts the server at the same address. All acknowledged writes still exist after the restart. */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface ClusterOptions {
  /** Whether writes wait until the data is on disk, as in production. Durability tests must set this option. */
  readonly durable?: boolean
}

/**
 * Starts PostgreSQL or uses the address in `SVC_TEST_POSTGRES`. The user in the address needs permission to create
 * databases.
 *
 * @throws {Error} if PostgreSQL isn't found.
 */
export async function startPostgres(): Promise<PostgresCluster> {
  const given = process.env.SVC_TEST_POSTGRES
  return given ? atAddress(given) : startOwnPostgres()
}

function atAddress(address: string): PostgresCluster {
  const refuse = async () => {
    throw new Error(
      "The PostgreSQL server at SVC_TEST_POSTGRES can't be killed, because the tests didn't start it",
    )
  }
  const made: string[] = []
  return {
    createDatabase: async () => {
      const name = await create(address)
      made.push(name)
      return withDatabase(address, name)
    },
    kill: refuse,
    start: refuse,
    stop: () =>
      asAdministrator(address, async (client) => {
        for (const name of made) await client.query(`drop database if exists "${name}" with (force)`)
      }),
  }
}

/** Starts a separate cluster that tests can kill. */
export async function startOwnPostgres({ durable = false }: ClusterOptions = {}): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
  const identity = otherIdentity()
  // PostgreSQL may run as a different user, who needs access to this folder.
  chmodSync(folder, 0o755)
  const bin = usableBy(findPostgres(), identity !== undefined, folder)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (identity) for (const own of [folder, data]) chownSync(own, identity.uid, identity.gid)
  const initialize = [
    '-D',
    data,
    '-U',
    'svc',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]
  execFileSync(join(bin, 'initdb'), initialize, {
    ...identity,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const port = await freePort()
  const address = `postgres://svc@127.0.0.1:${port}/postgres`
  let running: ChildProcess | undefined
  const start = async () => {
    for (let attempt = 1; ; attempt += 1) {
      running = spawnServer({ bin, data, folder, port, durable, ...(identity ? { identity } : {}) })
      if (await responses(address)) return
      // Immediately after the kill, some server processes may still be running.
      // The remaining processes exit when they detect the kill.
      await end('keep')
      if (attempt === startAttempts) throw new Error(`PostgreSQL did not start in ${data}`)
    }
  }
  const end = async (last: 'keep' | '') => {
    const ended = running?.exitCode === null ? once(running, 'exit') : undefined
    running?.stdin?.end(last)
    await ended
  }
  await start()
  return {
    createDatabase: async () => withDatabase(address, await create(address)),
    kill: async () => {
      killServer(data)
      await end('keep')
    },
    start,
    stop: async () => {
      await end('')
      // Delete the copied files here, because the guard runs as a different user and can't delete them.
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Identity {
  readonly uid: number
  readonly gid: number
}

/**
 * If the tests run as root, returns an unprivileged user that runs PostgreSQL, because PostgreSQL refuses to run as
 * root.
 */
function otherIdentity(): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const other = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody')
  if (!other) throw new Error("PostgreSQL can't run as root, and there is no user named postgres or nobody")
  return { uid: Number(other[2]), gid: Number(other[3]) }
}

interface ServerOptions {
  readonly bin: string
  readonly data: string
  readonly folder: string
  readonly port: number
  readonly durable: boolean
  readonly identity?: Identity
}

/**
 * A shell script that stops the server when standard input closes. Standard input closes when the tests end, even if
 * they crash.
 */
const guard =
  'folder=$1; shift; "$@" & pid=$!; last=$(cat); kill -QUIT $pid; wait $pid; [ -n "$last" ] || rm -rf "$folder"'

function spawnServer({ bin, data, folder, port, durable, identity }: ServerOptions): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-c', guard, 'sh', folder, join(bin, 'postgres'), '-D', data, '-p', String(port), ...options]
  // Detach the guard. Otherwise, a signal that is sent to the tests could terminate the guard before it has cleaned up.
  return spawn('/bin/sh', args, {
    ...identity,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}

function killServer(data: string): void {
  const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

const startAttempts = 10

/** Returns true as soon as the server accepts connections, or false if this takes more than a few seconds. */
async function responses(address: string): Promise<boolean> {
  const patience = Date.now() + 5000
  while (Date.now() < patience) {
    try {
      await asAdministrator(address, async () => undefined)
      return true
    } catch {
      await wait(20)
    }
  }
  return false
}

let count = 0

/**
 * Creates a database with a linguistic collation, which most production databases have. As a result, tests fail if a
 * query depends on the database's collation.
 */
async function create(address: string): Promise<string> {
  count += 1
  const name = `svc_test_${process.pid}_${Date.now().toString(36)}_${count}`
  await asAdministrator(address, async (client) => {
    await client.query(
      `create database "${name}" template template0 encoding 'UTF8' ${await linguistic(client)}`,
    )
  })
  return name
}

/** Returns a linguistic collation. PostgreSQL has supported ICU since version 15, but can be built without it. */
async function linguistic(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`select 1 from pg_collation where collname = 'en-x-icu'`)
  const { rows: versions } = await client.query(
    `select current_setting('server_version_num')::int >= 150000 as ok`,
  )
  return rows.length > 0 && versions[0].ok ? `locale_provider icu icu_locale 'en-US' locale 'C'` : ''
}

async function asAdministrator<T>(address: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: address })
  client.on('error', () => {})
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

function withDatabase(address: string, name: string): string {
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
