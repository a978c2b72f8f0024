import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newestCommand } from '../../../scripts/newest-command.ts'
import { openDatabase } from './persistence/database.ts'
import { overview } from './persistence/overview.ts'
import { runSeedCommand } from './seed-command.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const command = [process.execPath, ...newestCommand('server', 'seed-main')]

function run([name = '', ...args]: readonly string[], database: string, input: string | Buffer) {
  const cwd = new URL('..', import.meta.url)
  const env = { ...process.env, SVC_ADMIN_DATABASE: database }
  return spawnSync(name, args, { cwd, env, input, encoding: 'utf8' })
}

const seeded = (database: string, input: string | Buffer, ...args: string[]) =>
  run([...command, ...args], database, input)

/** Runs the command in this process. Starting another process would take longer than rejecting the input. */
const within = (folder: string, input: string | Buffer, ...args: string[]) =>
  runSeedCommand({
    args,
    env: { SVC_ADMIN_DATABASE: join(folder, 'server.db') },
    input: async () => Buffer.from(input),
    print: (text) => expect.fail(`The command printed ${text}`),
  })

/**
 * Runs the command with a file size limit of 64 KiB. This is enough for writing to the database, but not for the
 * checkpoint when the database is closed.
 */
const seededWithoutRoom = (database: string, input: string) =>
  run(['sh', '-c', 'ulimit -f 128; exec "$@"', 'sh', ...command], database, input)

const orgId = 'a'.repeat(24)
const organization = { id: orgId, name: 'Own' }

describe('svc-admin-seed', { timeout: 120_000 }, () => {
  const [, example = ''] =
    /```json\n([^`]+)```/.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? []

  it('adds the example of the README to a new database, and more resources to an existing one', async () => {
    const path = join(emptyFolder(), 'server.db')
    const put = { status: 0, stderr: '' }
    expect(seeded(path, example)).toMatchObject({
      ...put,
      stdout: 'Added to the database: 1 organizations, 1 projects, 1 apiKeys.\n',
    })
    const [first = organization] = JSON.parse(example).organizations
    const projects = [{ id: 'b'.repeat(24), orgId: first.id, name: 'second' }]
    const more = JSON.stringify({ projects, clusters: [] })
    // This seed refers to a resource that already exists in the database.
    expect(seeded('elsewhere.db', more, '--database', path)).toMatchObject({
      ...put,
      stdout: 'Added to the database: 1 projects.\n',
    })
    const database = await openDatabase(path)
    onTestFinished(() => database.close())
    expect(await overview.organizations(database)).toMatchObject([{ name: first.name }])
  })

  it('ignores a byte order mark in the file', () => {
    const path = join(emptyFolder(), 'server.db')
    const put = { status: 0, stderr: '', stdout: 'Added to the database: 1 organizations.\n' }
    expect(seeded(path, `\uFEFF${JSON.stringify({ organizations: [organization] })}`)).toMatchObject(put)
  })

  it.skipIf(process.platform === 'win32')(
    "prints the result even if the database file can't be closed",
    async () => {
      const path = join(emptyFolder(), 'server.db')
      const many = Array.from({ length: 400 }, (_, index) => index.toString().padStart(24, '0'))
      const projects = many.map((id) => ({ id, orgId, name: id }))
      expect(seeded(path, JSON.stringify({ organizations: [organization], projects })).status).toBe(0)
      const project = { id: 'b'.repeat(24), orgId, name: 'second' }
      expect(seededWithoutRoom(path, JSON.stringify({ projects: [project] }))).toMatchObject({
        status: 1,
        stdout: 'Added to the database: 1 projects.\n',
        stderr: expect.stringMatching(
          /The database cannot be used: (?:database or disk is full|disk I\/O error)/,
        ),
      })
      const lost = { ...project, id: 'c'.repeat(24), orgId: 'd'.repeat(24) }
      expect(seededWithoutRoom(path, JSON.stringify({ projects: [lost] })).stderr).toMatch(
        /In 'projects\[0\]': /,
      )
      const database = await openDatabase(path)
      onTestFinished(() => database.close())
      expect((await overview.projects(database)).map(({ id }) => id)).toContain(project.id)
    },
  )

  it.each([
    ['--help', /^Usage: svc-admin-seed \[--database <text>\]/],
    ['--version', /^\d+\.\d+\.\d+\n$/],
  ])('prints %s and exits', (flag, message) => {
    const folder = emptyFolder()
    expect(seeded(join(folder, 'server.db'), '', flag)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(message),
    })
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['', /Standard input is empty\. Pass a seed file on standard input\./],
    ['{}', /The file contains no resources/],
    ['{"organizations":[],"projects":[]}', /The file contains no resources/],
    ['{"organizations": [', /The file isn't valid JSON: /],
    ['[1]', /isn't a valid body for POST \/seed in the control interface: The body must be an object/],
    ['"x"', /The body must be an object/],
    ['{"banana":[]}', /The body has an unknown field 'banana'\. Allowed fields: organizations, /],
    ['{"organizations":5}', /'organizations' must be an array/],
    [
      `{"organizations":[],"organizations":[${JSON.stringify(organization)}]}`,
      /field organizations more than once/,
    ],
    [JSON.stringify({ projects: [{ id: 'b'.repeat(24), orgId, name: 'lost' }] }), /In 'projects\[0\]': /],
    [Buffer.from('\uFEFF{}', 'utf16le'), /The file is encoded in UTF-16\. Save it as UTF-8\./],
    ['\uFEFF', /Standard input is empty\. Pass a seed file on standard input\./],
  ])('rejects %j without creating a database', async (input, message) => {
    const folder = emptyFolder()
    await expect(within(folder, input)).rejects.toThrow(message)
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    [['--bogus'], /Unknown option '--bogus'/],
    [['organization.json'], /Unexpected argument 'organization\.json'/],
    [['--database', ':memory:'], /:memory: would be lost/],
  ])('rejects %j', async (args, message) => {
    const folder = emptyFolder()
    const input = JSON.stringify({ organizations: [organization] })
    await expect(within(folder, input, ...args)).rejects.toThrow(message)
    expect(readdirSync(folder)).toEqual([])
  })

  it('exits with 1 and prints what it rejects', () => {
    const folder = emptyFolder()
    expect(seeded(join(folder, 'server.db'), '[1]')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^svc-admin-seed: The file isn't a valid body for POST \/seed/),
    })
    expect(readdirSync(folder)).toEqual([])
  })
})
