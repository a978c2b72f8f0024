import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from './persistence/database.ts'
import { overview } from './persistence/overview.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const command = [process.execPath, '--import', 'tsx', '--conditions=@svc-admin/source', 'src/seed-main.ts']

function run([name = '', ...args]: readonly string[], database: string, input: string | Buffer) {
  const cwd = new URL('..', import.meta.url)
  const env = { ...process.env, SVC_ADMIN_DATABASE: database }
  return spawnSync(name, args, { cwd, env, input, encoding: 'utf8' })
}

const seeded = (database: string, input: string | Buffer, ...args: string[]) =>
  run([...command, ...args], database, input)

/** Where no file can be longer than 64 KiB: there is room beside the database, but not for what closing puts into it. */
const seededWithoutRoom = (database: string, input: string) =>
  run(['sh', '-c', 'ulimit -f 128; exec "$@"', 'sh', ...command], database, input)

const orgId = 'a'.repeat(24)
const organization = { id: orgId, name: 'Own' }

describe('the command of the first organisation', { timeout: 120_000 }, () => {
  const [, example = ''] =
    /```json\n([^`]+)```/.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? []

  it('puts the file of the README into a database that there is not yet, and more into one that there is', async () => {
    const path = join(emptyFolder(), 'server.db')
    const put = { status: 0, stderr: '' }
    expect(seeded(path, example)).toMatchObject({
      ...put,
      stdout: 'Put into the database: 1 organizations, 1 projects, 1 apiKeys.\n',
    })
    const [first = organization] = JSON.parse(example).organizations
    const projects = [{ id: 'b'.repeat(24), orgId: first.id, name: 'second' }]
    const more = JSON.stringify({ projects, clusters: [] })
    // What it refers to is there already.
    expect(seeded('elsewhere.db', more, '--database', path)).toMatchObject({
      ...put,
      stdout: 'Put into the database: 1 projects.\n',
    })
    const database = await openDatabase(path)
    onTestFinished(() => database.close())
    expect(await overview.organizations(database)).toMatchObject([{ name: first.name }])
  })

  it('passes over the byte order mark that some editors begin a file with', () => {
    const path = join(emptyFolder(), 'server.db')
    const put = { status: 0, stderr: '', stdout: 'Put into the database: 1 organizations.\n' }
    expect(seeded(path, `\uFEFF${JSON.stringify({ organizations: [organization] })}`)).toMatchObject(put)
  })

  it.skipIf(process.platform === 'win32')(
    'says what came of it although the file cannot be closed',
    async () => {
      const path = join(emptyFolder(), 'server.db')
      const many = Array.from({ length: 400 }, (_, index) => index.toString().padStart(24, '0'))
      const projects = many.map((id) => ({ id, orgId, name: id }))
      expect(seeded(path, JSON.stringify({ organizations: [organization], projects })).status).toBe(0)
      const project = { id: 'b'.repeat(24), orgId, name: 'second' }
      expect(seededWithoutRoom(path, JSON.stringify({ projects: [project] }))).toMatchObject({
        status: 1,
        stdout: 'Put into the database: 1 projects.\n',
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
    ['--help', /^svc-admin-seed \[--database <text>\]/],
    ['--version', /^\d+\.\d+\.\d+\n$/],
  ])('answers %s and does nothing', (flag, said) => {
    const folder = emptyFolder()
    expect(seeded(join(folder, 'server.db'), '', flag)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(said),
    })
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['', /A file was expected, and nothing came\./],
    ['{}', /There is nothing in it/],
    ['{"organizations":[],"projects":[]}', /There is nothing in it/],
    ['{"organizations": [', /The file is no JSON: /],
    ['[1]', /no body of POST \/seed of the control interface: The body must be an object/],
    ['"x"', /The body must be an object/],
    ['{"banana":[]}', /The body has an unknown field 'banana'\. Allowed fields: organizations, /],
    ['{"organizations":5}', /'organizations' must be an array/],
    [`{"organizations":[],"organizations":[${JSON.stringify(organization)}]}`, /member organizations twice/],
    [JSON.stringify({ projects: [{ id: 'b'.repeat(24), orgId, name: 'lost' }] }), /In 'projects\[0\]': /],
    [Buffer.from('\uFEFF{}', 'utf16le'), /The file is in UTF-16: save it in UTF-8\./],
    ['\uFEFF', /A file was expected, and nothing came\./],
  ])('makes no database of %j', (input, said) => {
    const folder = emptyFolder()
    const ended = seeded(join(folder, 'server.db'), input)
    expect(ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(said) })
    expect(ended.stderr).toMatch(/^svc-admin-seed: /)
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    [['--bogus'], /Unknown option '--bogus'/],
    [['organisation.json'], /Unexpected argument 'organisation\.json'/],
    [['--database', ':memory:'], /:memory: would be gone/],
  ])('refuses %j', (args, said) => {
    const folder = emptyFolder()
    const ended = seeded(
      join(folder, 'server.db'),
      JSON.stringify({ organizations: [organization] }),
      ...args,
    )
    expect(ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(said) })
    expect(readdirSync(folder)).toEqual([])
  })
})
