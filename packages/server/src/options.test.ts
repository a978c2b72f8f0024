import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { maskOptions, optionSpecs, resolveOptions, variableOf } from './options.ts'

const folder = mkdtempSync(join(tmpdir(), 'options-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(content: unknown): string {
  const path = join(folder, `${Math.random()}.json`)
  writeFileSync(path, JSON.stringify(content))
  return path
}

describe('options', () => {
  it('use the defaults of the table', () => {
    expect(resolveOptions().port).toBe(optionSpecs.port.default)
  })

  it('are read from code, then flags, then environment variables, then the file', () => {
    const config = file({ port: 1, host: 'file', database: 'file', logLevel: 'warn' })
    const options = resolveOptions({
      argv: ['--config', config, '--port', '3', '--host', 'flag'],
      env: { [variableOf('port')]: '2', [variableOf('database')]: 'env' },
      values: { port: 4 },
    })
    expect(options).toMatchObject({ port: 4, host: 'flag', database: 'env', logLevel: 'warn' })
  })

  it('accept a boolean flag without a value, and its negation', () => {
    expect(resolveOptions({ argv: ['--enforce-sunset'] }).enforceSunset).toBe(true)
    expect(resolveOptions({ argv: ['--no-sandbox'], env: { SVC_ADMIN_SANDBOX: 'true' } }).sandbox).toBe(false)
  })

  it.each([
    [['--port', '70000'], /--port must be an integer/],
    [['--port', '1e3'], /--port must be an integer/],
    [['--log-level', 'loud'], /--log-level must be one of/],
    [['--unknown'], /^Unknown option '--unknown'\. Run svc-admin-server --help for the options$/],
    [['--port'], /'--port <value>' argument missing\. Run svc-admin-server --help/],
    [['9000'], /^Unexpected argument '9000'/],
  ])('reject %j and name the option', (argv, message) => {
    expect(() => resolveOptions({ argv })).toThrow(message)
  })

  it.each([
    [{ nope: 1 }, /^Unknown option 'nope'\. The options are host, port, /],
    [{ toString: 1 }, /^Unknown option 'toString'/],
    [{ port: '0' }, /^'port' must be a number, but is '0'$/],
    [{ port: 0.5 }, /^'port' must be an integer from 0 to 65535, but is '0.5'$/],
    [{ sandbox: 1 }, /^'sandbox' must be a boolean, but is 1$/],
    [{ logLevel: 'loud' }, /^'logLevel' must be one of debug, .*, but is 'loud'$/],
    [{ docs: '/no/such/folder' }, /^'docs' must be an existing folder, but is '\/no\/such\/folder'$/],
    [{ publicUrl: 'not a url' }, /^'publicUrl' must be an http or https URL .*, but is 'not a url'$/],
    [{ publicUrl: 'ftp://me:hush@x' }, /but is 'ftp:\/\/me:\*\*\*@x'$/],
  ])('from code are validated against the same table: %j', (values: object, message) => {
    expect(() => resolveOptions({ values })).toThrow(message)
  })

  it('from code are ignored if they are undefined', () => {
    expect(resolveOptions({ values: { port: undefined }, argv: ['--port', '3'] }).port).toBe(3)
  })

  it('reject unknown names and invalid values in the file', () => {
    expect(() => resolveOptions({ argv: ['--config', file({ prot: 1 })] })).toThrow(/unknown option 'prot'/)
    expect(() => resolveOptions({ argv: ['--config', file({ toString: 1 })] })).toThrow(/option 'toString'/)
    expect(() => resolveOptions({ argv: ['--config', file([])] })).toThrow(/a JSON object/)
    expect(() => resolveOptions({ argv: ['--config', file({ host: ['a'] })] })).toThrow(/'host' in .*must be/)
  })

  it.each([
    ['SVC_ADMIN_HOST', '', /^SVC_ADMIN_HOST must be an address or a hostname, but is empty/],
    ['SVC_ADMIN_DATABASE', ' ', /^SVC_ADMIN_DATABASE must be a file, :memory:, or postgres:.*, but is empty/],
    ['SVC_ADMIN_CONFIG', '', /must be a file name, but is empty/],
    ['SVC_ADMIN_PROT', '9205', /SVC_ADMIN_PROT\. Did you mean SVC_ADMIN_PORT\?$/],
    ['SVC_ADMIN_SANBOX', 'true', /Did you mean SVC_ADMIN_SANDBOX\?$/],
    ['SVC_ADMIN_CONTRL_PORT', '1', /Did you mean SVC_ADMIN_CONTROL_PORT\?$/],
  ])('reject the variable %s=%s', (name, value, message) => {
    expect(() => resolveOptions({ env: { [name]: value } })).toThrow(message)
  })

  it('ignore the variables that Kubernetes sets for a Service whose name has their prefix', () => {
    const env = {
      SVC_ADMIN_SERVER_SERVICE_HOST: '10.0.0.1',
      SVC_ADMIN_SERVER_SERVICE_PORT_HTTP: '80',
      SVC_ADMIN_SERVER_PORT: 'tcp://10.0.0.1:80',
      SVC_ADMIN_SERVER_PORT_80_TCP_ADDR: '10.0.0.1',
    }
    expect(resolveOptions({ env })).toEqual(resolveOptions())
  })

  it('ignore a byte order mark in the file', () => {
    const marked = join(folder, 'marked.json')
    writeFileSync(marked, '\uFEFF{"port": 1}')
    expect(resolveOptions({ argv: ['--config', marked] }).port).toBe(1)
  })

  it('reject an empty file name, repeated properties, and a number for a string option', () => {
    expect(() => resolveOptions({ argv: ['--config', ''] })).toThrow(/must be a file name, but is empty/)
    const twice = join(folder, 'twice.json')
    writeFileSync(twice, '{"port": 1, "host": "port:", "p\\u006frt": 2}')
    expect(() => resolveOptions({ argv: ['--config', twice] })).toThrow(/twice\.json contains 'port' twice/)
    expect(() => resolveOptions({ argv: ['--config', file({ host: 5 })] })).toThrow(
      /'host' in .* must be a string/,
    )
    expect(resolveOptions({ argv: ['--config', file({ port: 5, host: 'h' })] })).toMatchObject({
      port: 5,
      host: 'h',
    })
  })

  it('limit the headers timeout to the request timeout', () => {
    expect(() => resolveOptions({ values: { headersTimeout: 6000 } })).toThrow(
      /'headersTimeout' \(6000\) must be at most 'requestTimeout' \(5000\)/,
    )
    expect(resolveOptions({ values: { requestTimeout: 1000 } }).headersTimeout).toBe(1000)
  })

  it("name the file that can't be read", () => {
    const path = join(folder, 'broken.json')
    writeFileSync(path, '{"port": }')
    expect(() => resolveOptions({ argv: ['--config', path] })).toThrow(
      /Can't read the options file .*broken\.json/,
    )
    expect(() => resolveOptions({ argv: ['--config', 'absent.json'] })).toThrow(
      /Can't read the options file absent\.json/,
    )
  })

  it.each([
    ['--port', '-1', '--port has no value. To pass a value that starts with a dash, write --port=-…'],
    ['--portt', '1', "Unknown option '--portt'."],
  ])('reject the flags %s %s with one line', (flag, value, message) => {
    expect(() => resolveOptions({ argv: [flag, value] })).toThrow(
      new Error(`${message} Run svc-admin-server --help for the options`),
    )
  })

  it('reject an invalid database address from any source without printing it', () => {
    const wrong = ' postgres://me:secret@host/db'
    for (const source of [{ argv: ['--database', wrong] }, { env: { [variableOf('database')]: wrong } }]) {
      expect(() => resolveOptions(source)).toThrow(
        /must be a file, :memory:, or postgres:.* without surrounding quotes/,
      )
      expect(() => resolveOptions(source)).not.toThrow(/secret/)
    }
  })

  it.each([
    ['postgres://me:secret@host/db', 'postgres://me:***@host/db'],
    ['postgres://:secret@host:5432/db', 'postgres://:***@host:5432/db'],
    ['postgresql://me:se:cr@e/t@host/db', 'postgresql://me:***@host/db'],
    ['postgres://me:12@host/db', 'postgres://me:***@host/db'],
    ['postgres://host/db?user=me&password=secret', 'postgres://host/db?user=me&password=***'],
    [
      'postgres://me@host:5432/db?password=a&sslmode=off',
      'postgres://me@host:5432/db?password=***&sslmode=off',
    ],
    ['postgres://host/db?p%61ssword=secret', 'postgres://host/db?p%61ssword=***'],
    ['postgres://me:secret@host/db?sslpassword=secret#x', 'postgres://me:***@host/db?sslpassword=***'],
    ['postgres://me@host:5432/db?application_name=x', 'postgres://me@host:5432/db?application_name=x'],
    ['data/server.db', 'data/server.db'],
  ])('mask %s as %s', (database, printed) => {
    const options = resolveOptions({ values: { database } })
    expect(maskOptions(options)).toEqual({ ...options, database: printed })
  })

  it.each([
    ['https://api.example/', 'https://api.example'],
    ['https://Api.Example:443/base//', 'https://api.example/base'],
    ['https://例え.example', 'https://xn--r8jz45g.example'],
    ['https://db.example\n', 'https://db.example'],
    [' https://db.example/ ', 'https://db.example'],
    ['https://db.example/a"b>c', 'https://db.example/a%22b%3Ec'],
  ])('normalize the public URL %j for headers and JSON', (publicUrl, normalized) => {
    expect(resolveOptions({ values: { publicUrl } }).publicUrl).toBe(normalized)
  })

  it.each([
    ['http://u:hush@h', 'http://u:***@h'],
    ['http://u@h', 'http://u@h'],
    ['https://h/?a=b', 'https://h/?a=b'],
    ['https://h/#a', 'https://h/#a'],
    ['https://h#', 'https://h#'],
  ])('reject the public URL %s without printing its password', (publicUrl, printed) => {
    expect(() => resolveOptions({ values: { publicUrl } })).toThrow(
      `'publicUrl' must be an http or https URL without credentials, query, or fragment, but is '${printed}'`,
    )
  })
})
