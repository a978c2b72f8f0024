import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findPostgres, usableBy } from './postgres-binaries.ts'

/** A PostgreSQL of a test's own, or one that somebody named. */
export interface PostgresCluster {
  /** Makes an empty database, and answers its address. */
  createDatabase(): Promise<string>
  /** Kills the whole cluster as a power cut of its machine would, without losing what was synchronised. */
  kill(): Promise<void>
  /** Starts it again, at the same address. */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface ClusterOptions {
  /** True writes through to the disk, as in earnest: for tests of durability. */
  readonly durable?: boolean
}

/**
 * Starts a PostgreSQL, or takes the one that `SVC_TEST_POSTGRES` names: an address of a user who may create databases.
 *
 * @throws {Error} if there is none.
 */
export async function startPostgres(options: ClusterOptions = {}): Promise<PostgresCluster> {
  const given = process.env.SVC_TEST_POSTGRES
  return given ? atAddress(given) : ofOwn(options)
}

function atAddress(address: string): PostgresCluster {
  const refuse = async () => {
    throw new Error('The PostgreSQL of SVC_TEST_POSTGRES is not the tests’ own to kill')
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

async function ofOwn({ durable = false }: ClusterOptions): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
  const identity = otherIdentity()
  // The user that it runs as has to reach it.
  chmodSync(folder, 0o755)
  const bin = usableBy(findPostgres(), identity !== undefined, folder)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (identity) chownSync(data, identity.uid, identity.gid)
  const initialise = [
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
  execFileSync(join(bin, 'initdb'), initialise, {
    ...identity,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const port = await freePort()
  const address = `postgres://svc@127.0.0.1:${port}/postgres`
  let running: ChildProcess | undefined
  const start = async () => {
    running = spawnServer({ bin, data, port, durable, ...(identity ? { identity } : {}) })
    await answers(address, running)
  }
  const end = async (signal: 'KILL' | 'QUIT') => {
    const ended =
      running && running.exitCode === null
        ? new Promise((resolve) => running?.once('exit', resolve))
        : undefined
    if (signal === 'KILL') killPostmaster(data)
    running?.stdin?.end()
    await ended
  }
  await start()
  return {
    createDatabase: async () => withDatabase(address, await create(address)),
    kill: () => end('KILL'),
    start,
    stop: async () => {
      await end('QUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Identity {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root: then it runs as somebody whom the system knows and who owns nothing. */
function otherIdentity(): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const other = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody')
  if (!other) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody')
  return { uid: Number(other[2]), gid: Number(other[3]) }
}

interface ServerOptions {
  readonly bin: string
  readonly data: string
  readonly port: number
  readonly durable: boolean
  readonly identity?: Identity
}

/** The shell ends the server when the tests are gone, however they went: its input ends with them. */
const guard = 'server=$1; shift; "$server" "$@" & pid=$!; cat > /dev/null; kill -QUIT $pid; wait $pid'

function spawnServer({ bin, data, port, durable, identity }: ServerOptions): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-c', guard, 'sh', join(bin, 'postgres'), '-D', data, '-p', String(port), ...options]
  return spawn('/bin/sh', args, { ...identity, cwd: data, stdio: ['pipe', 'ignore', 'ignore'] })
}

function killPostmaster(data: string): void {
  const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

async function answers(address: string, server: ChildProcess): Promise<void> {
  const patience = Date.now() + 30_000
  for (;;) {
    try {
      return await asAdministrator(address, async () => undefined)
    } catch (error) {
      if (Date.now() > patience || server.exitCode !== null) throw error
      await wait(20)
    }
  }
}

let count = 0

/**
 * A database whose own collation is not that of bytes, as most are: an order that does not say what it means is seen.
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

/** ICU is there from PostgreSQL 15 on, unless it was built without. */
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
