import { existsSync } from 'node:fs'
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

const usage = `Usage: svc-admin-seed [--database <text>] [--config <file>] < organization.json

Adds organizations, projects, clusters, and credentials from a file to a
database, because the API can't create them. The file has the same format as the
body of POST /seed in the control interface. For an example, see the README of
@svc-admin/server.

  --database <text>  A file or postgres://… Can also be set with
                     ${variableOf('database')} or in the options file
  --config <file>    Read options from a JSON file
  -h, --help         Print this help
  --version          Print the version

Stop a server that uses the same SQLite file first. A server that uses the same
PostgreSQL database can keep running.
`

/** The parts of Node's `process` object used by this command. */
export interface SeedProcess {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  input(): Promise<Buffer>
  print(text: string): void
}

/**
 * Runs the `svc-admin-seed` command. Validates the input before it opens the database.
 *
 * @throws {Error} with a message for the user.
 */
export async function runSeedCommand({ args, env, input, print }: SeedProcess): Promise<void> {
  const { help, version, ...flags } = readFlags(args)
  if (help) return print(usage)
  if (version) return print(`${packageVersion()}\n`)
  const argv = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const options = resolveOptions({ argv, env })
  const { database } = options
  if (database === memory) throw new Error(`${memory} would be lost when this command ends. Use a file`)
  const content = seedOf(stripByteOrderMark(await input()))
  // Add the seed to an in-memory database first, because no file must be created if the seed is invalid.
  if (kindOfDatabase(database) === 'sqlite' && !existsSync(database)) await addTo(memory, content, options)
  // Print the report as soon as the seed is committed, even if closing the database fails.
  const report = () => print(`Added to the database: ${countsOf(content).join(', ')}.\n`)
  await addTo(database, content, options, report)
}

function readFlags(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
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

/**
 * Parses the seed.
 *
 * @throws {Error} if the seed is invalid or empty.
 */
function seedOf(bytes: Buffer): unknown {
  if (bytes.toString().trim() === '')
    throw usageError('Standard input is empty. Pass a seed file on standard input.')
  try {
    JSON.parse(bytes.toString())
  } catch (error) {
    throw new Error(`The file isn't valid JSON: ${messageOf(error)}`)
  }
  const content = validated(bytes)
  if (countsOf(content).length === 0) throw usageError('The file contains no resources.')
  return content
}

function validated(bytes: Buffer): unknown {
  try {
    const content = parseStrictJson(bytes)
    createRequestCheck().body('POST /seed', content)
    return content
  } catch (error) {
    throw describeInvalidSeed(error)
  }
}

/**
 * Adds a seed to a database.
 *
 * @param committed Called when the seed is committed.
 */
async function addTo(
  address: string,
  content: unknown,
  { nonceLifetime, tokenLifetime }: ServerOptions,
  committed = () => {},
): Promise<void> {
  const database = await openDatabase(address)
  try {
    await migrate(database)
    await seed(await createWorld(database, { nonceLifetime, tokenLifetime }), content)
    committed()
    await database.close()
  } catch (error) {
    // Ignore errors that occur when the database is closed, because they would hide the original error.
    await database.close().catch(() => {})
    throw describeInvalidSeed(describeDatabaseFailure(error, address))
  }
}

/** Returns the number of resources in each nonempty collection. */
function countsOf(content: unknown): string[] {
  const collections = fieldsOf(content, 'The seed')
  return Object.keys(collections).flatMap((name) => {
    const { length } = list(collections, name)
    return length > 0 ? [`${length} ${name}`] : []
  })
}

/** Adds context to errors in the seed file, and returns all other errors unchanged. */
function describeInvalidSeed(error: unknown): unknown {
  if (!(error instanceof ControlInputError || error instanceof Problem)) return error
  return new Error(`The file isn't a valid body for POST /seed in the control interface: ${error.message}`)
}

const usageError = (why: string): Error => new Error(`${why}\n\n${usage.trimEnd()}`)

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
