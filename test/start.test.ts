import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { portOf } from '../packages/server/test/free-port.ts'
import { namesSet, splitFlags, whereDataStays } from '../scripts/start-options.mjs'
import { repository } from './story/copy.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-admin-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("npm start accepts the server's flags in both forms", () => {
  const apart = ['--port', '9000', '--database', 'postgres://a:b@c/d?x=y', '--sandbox']
  expect(splitFlags(['--port=9000', '--database=postgres://a:b@c/d?x=y', '--sandbox'])).toEqual(apart)
  expect(splitFlags(apart)).toEqual(apart)
})

test('npm start prints the database address without its password', () => {
  expect(whereDataStays(':memory:')).toBe('Stopping the server deletes the data.')
  expect(whereDataStays('postgres://a:secret@c/d')).toBe('The data is kept in your database.')
  expect(whereDataStays(join(process.cwd(), '.svc-admin/demo.db'))).toBe(
    `The data is kept in ${join('.svc-admin', 'demo.db')}.`,
  )
})

/** Starts the server as `npm start` does after its build, and sends SIGINT after the last line of the welcome text. */
function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  nodeFlags: readonly string[] = [],
) {
  return new Promise<{ code: number | null; printed: string; listening: Record<string, never> }>(
    (resolve) => {
      const script = join(repository, 'scripts/start-server.mjs')
      const child = spawn(process.execPath, [...nodeFlags, script, ...args], {
        env: { ...process.env, SVC_ADMIN_DATABASE: ':memory:', ...env },
      })
      let printed = ''
      const read = (chunk: Buffer): void => {
        printed += chunk
        if (printed.includes('Stop with Ctrl+C')) child.kill('SIGINT')
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.on('close', (code) => {
        const line = printed.split('\n').find((each) => each.startsWith('{'))
        resolve({ code, printed, listening: JSON.parse(line ?? '{}') })
      })
    },
  )
}

describe('npm start', () => {
  test("prints the server's addresses, and stops on Ctrl+C", async () => {
    const { code, printed, listening } = await start(['--host', '::1', '--port', '0'])
    expect(code).toBe(0)
    expect(listening).toMatchObject({ url: expect.stringMatching(/^http:\/\/\[::1\]:\d{2,}$/) })
    expect(printed).toContain(`API             ${listening.url}/api/svc/v2 `)
    expect(printed).toContain(`--base-url ${listening.url} --control ${listening.controlUrl}\n`)
    expect(printed).toContain('Digest          orgowner:')
  })

  test('replaces the log line with the welcome text in a terminal', async () => {
    const inTerminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true']
    const { code, printed, listening } = await start(['--port=0', '--no-seed-demo'], {}, inTerminal)
    expect(code).toBe(0)
    expect(printed).toMatch(/^API +http:/m)
    expect([listening, printed]).toEqual([{}, expect.not.stringContaining('"listening"')])
  })

  test('omits disabled and missing features', async () => {
    const { code, printed } = await start(['--port=0', '--no-sandbox', '--no-seed-demo'])
    expect(code).toBe(0)
    expect(printed).toContain('This database does not contain the demo organization.')
    expect(printed).not.toMatch(/^Control|^Digest|--control |curl/m)
  })

  test("doesn't mistake another server for its own", async () => {
    const other = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const port = String(portOf(other))
    const { code, printed } = await start(['--port', port])
    other.close()
    expect([code, printed]).toEqual([1, expect.stringMatching(/^svc-admin-server: .*EADDRINUSE.*\n$/)])
  })

  test.each([[['--port', 'abc']], [['--config', 'nowhere']]])('lets the server reject %j', async (args) => {
    const { code, printed } = await start(args)
    expect([code, printed]).toEqual([1, expect.stringMatching(/^svc-admin-server: .*\n$/)])
  })

  test('uses defaults if no flag, environment variable or file sets an option', async () => {
    const config = join(folder, 'options.json')
    writeFileSync(config, JSON.stringify({ port: 0, sandbox: false, logLevel: 'error', tokenLifetime: 60 }))
    const chosen = { SVC_ADMIN_SEED_DEMO: 'false', SVC_ADMIN_LOG_LEVEL: 'info' }
    for (const { listening } of [
      await start(['--config', config], chosen),
      await start([], { ...chosen, SVC_ADMIN_CONFIG: config }),
    ])
      expect(listening).toMatchObject({
        options: { port: 0, sandbox: false, logLevel: 'info', tokenLifetime: 60, seedDemo: false },
      })
  })
})

test('detects options in all notations', () => {
  const means = { root: folder, variableOf: (name: string) => name.toUpperCase() }
  const set = namesSet(['--no-sandbox', '--control-port=1'], { PORT: '' }, means)
  expect(['sandbox', 'controlPort', 'port', 'database'].filter(set.has)).toEqual([
    'sandbox',
    'controlPort',
    'port',
  ])
})
