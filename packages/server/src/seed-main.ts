#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { stripByteOrderMark } from './byte-order-mark.ts'
import { Problem } from './domain/problem.ts'
import { describeDatabaseFailure } from './http/outage-log.ts'
import { parseStrictJson } from './http/strict-json.ts'
import { resolveOptions, type ServerOptions, variableOf } from './options.ts'
import { packageVersion } from './package-version.ts'
import { openDatabase } from './persistence/database.ts'
import { kindOfDatabase, memory } from './persistence/database-address.ts'
import { migrate } from './persistence/migrate.ts'
import { ControlInputError, fieldsOf, list } from './sandbox/fields.ts'
import { createRequestCheck } from './sandbox/request-check.ts'
import { seed } from './sandbox/seed.ts'
import { createWorld } from './world/world.ts'

const usage = `svc-admin-seed [--database <text>] [--config <file>] < organisation.json

Puts the organisations, projects, clusters and credentials of a file into a
database, since no operation of the API makes the first of them. The database is
found as svc-admin-server finds it: --database, ${variableOf('database')}, or the
options file. The README of @svc-admin/server shows what a file holds: the body
of POST /seed of the control interface. A running server on the same PostgreSQL
goes on; one on the same SQLite file has to be stopped.
`

/** The command `svc-admin-seed`. Nothing is opened before it is known that there is something to put in. */
async function main(): Promise<void> {
  const { help, version, ...flags } = readFlags()
  if (help) return say(usage)
  if (version) return say(`${packageVersion()}\n`)
  const argv = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const options = resolveOptions({ argv, env: process.env })
  const { database } = options
  if (database === memory) throw new Error(`${memory} would be gone at the end of this command: name a file`)
  const content = seedOf(stripByteOrderMark(process.stdin.isTTY ? Buffer.of() : await buffer(process.stdin)))
  // What does not fit makes no file.
  if (kindOfDatabase(database) === 'sqlite' && !existsSync(database)) await putInto(memory, content, options)
  await putInto(database, content, options, `Put into the database: ${countsOf(content).join(', ')}.\n`)
}

const say = (text: string): void => {
  process.stdout.write(text)
}

function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        database: { type: 'string' },
        config: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
    return values
  } catch (error) {
    throw usageError(messageOf(error))
  }
}

/** @throws {Error} for what is no seed, and for one with nothing in it. */
function seedOf(bytes: Buffer): unknown {
  if (bytes.toString().trim() === '') throw usageError('A file was expected, and nothing came.')
  try {
    JSON.parse(bytes.toString())
  } catch (error) {
    throw new Error(`The file is no JSON: ${messageOf(error)}`)
  }
  const content = fitting(bytes)
  if (countsOf(content).length === 0) throw usageError('There is nothing in it to put into a database.')
  return content
}

function fitting(bytes: Buffer): unknown {
  try {
    const content = parseStrictJson(bytes)
    createRequestCheck().body('POST /seed', content)
    return content
  } catch (error) {
    throw describeInvalidSeed(error)
  }
}

/** @param told is said as soon as all of it is kept. */
async function putInto(
  address: string,
  content: unknown,
  { nonceLifetime, tokenLifetime }: ServerOptions,
  told = '',
): Promise<void> {
  const database = await openDatabase(address)
  try {
    await migrate(database)
    await seed(await createWorld(database, { nonceLifetime, tokenLifetime }), content)
    // It is kept, whatever comes of the rest.
    say(told)
    await database.close()
  } catch (error) {
    // What cannot be used may not even be closed, which must not hide why.
    await database.close().catch(() => {})
    throw describeInvalidSeed(describeDatabaseFailure(error, address))
  }
}

/** How many there are of each kind of which there are any. */
function countsOf(content: unknown): string[] {
  const collections = fieldsOf(content, 'A seed')
  return Object.keys(collections).flatMap((name) => {
    const { length } = list(collections, name)
    return length > 0 ? [`${length} ${name}`] : []
  })
}

/** What is wrong with the file, in the words of the control interface; any other failure is left as it is. */
function describeInvalidSeed(error: unknown): unknown {
  if (!(error instanceof ControlInputError || error instanceof Problem)) return error
  return new Error(`The file is no body of POST /seed of the control interface: ${error.message}`)
}

const usageError = (why: string): Error => new Error(`${why}\n\n${usage.trimEnd()}`)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

main().catch((error: unknown) => {
  process.stderr.write(`svc-admin-seed: ${messageOf(error)}\n`)
  process.exitCode = 1
})
