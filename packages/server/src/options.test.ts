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
  it('have the default of the table when nothing is said', () => {
    expect(resolveOptions().port).toBe(optionSpecs.port.default)
  })

  it('are taken from code, then flags, then environment, then the file', () => {
    const config = file({ port: 1, host: 'file', database: 'file', logLevel: 'warn' })
    const options = resolveOptions({
      argv: ['--config', config, '--port', '3', '--host', 'flag'],
      env: { [variableOf('port')]: '2', [variableOf('database')]: 'env' },
      values: { port: 4 },
    })
    expect(options).toMatchObject({ port: 4, host: 'flag', database: 'env', logLevel: 'warn' })
  })

  it('take a boolean flag without a value, and its negation', () => {
    expect(resolveOptions({ argv: ['--enforce-sunset'] }).enforceSunset).toBe(true)
    expect(resolveOptions({ argv: ['--no-sandbox'], env: { SVC_ADMIN_SANDBOX: 'true' } }).sandbox).toBe(false)
  })

  it.each([
    [['--port', '70000'], /--port must be a whole number/],
    [['--port', '1e3'], /--port must be a whole number/],
    [['--log-level', 'loud'], /--log-level must be one of/],
    [['--unknown'], /^Unknown option '--unknown': svc-admin-server --help lists the options$/],
    [['--port'], /'--port <value>' argument missing: svc-admin-server --help/],
    [['9000'], /^Unexpected argument '9000'/],
  ])('refuse %j and name the option', (argv, message) => {
    expect(() => resolveOptions({ argv })).toThrow(message)
  })

  it.each([
    [{ nope: 1 }, /^There is no option 'nope': the options are host, port, /],
    [{ toString: 1 }, /^There is no option 'toString'/],
    [{ port: '0' }, /^'port' must be a number, not '0'$/],
    [{ port: 0.5 }, /^'port' must be a whole number from 0 to 65535, not '0.5'$/],
    [{ sandbox: 1 }, /^'sandbox' must be a boolean, not 1$/],
    [{ logLevel: 'loud' }, /^'logLevel' must be one of debug, .*, not 'loud'$/],
    [{ docs: '/no/such/folder' }, /^'docs' must be a folder that there is, not '\/no\/such\/folder'$/],
    [{ publicUrl: 'not a url' }, /^'publicUrl' must be an http or https address .*, not 'not a url'$/],
    [{ publicUrl: 'ftp://me:hush@x' }, /not 'ftp:\/\/me:\*\*\*@x'$/],
  ])('given in code are held to the same table: %j', (values: object, message) => {
    expect(() => resolveOptions({ values })).toThrow(message)
  })

  it('of code that are undefined are not given', () => {
    expect(resolveOptions({ values: { port: undefined }, argv: ['--port', '3'] }).port).toBe(3)
  })

  it('refuse an unknown name or another shape in the file', () => {
    expect(() => resolveOptions({ argv: ['--config', file({ prot: 1 })] })).toThrow(/unknown option 'prot'/)
    expect(() => resolveOptions({ argv: ['--config', file({ toString: 1 })] })).toThrow(/option 'toString'/)
    expect(() => resolveOptions({ argv: ['--config', file([])] })).toThrow(/one JSON object/)
    expect(() => resolveOptions({ argv: ['--config', file({ host: ['a'] })] })).toThrow(/'host' in .*must be/)
  })

  it.each([
    ['SVC_ADMIN_HOST', '', /^SVC_ADMIN_HOST must be an address or the name of a host, and is empty/],
    ['SVC_ADMIN_DATABASE', ' ', /^SVC_ADMIN_DATABASE must be a file, :memory: or postgres:.*, and is empty/],
    ['SVC_ADMIN_CONFIG', '', /must name a file, and is empty/],
    ['SVC_ADMIN_PROT', '9205', /SVC_ADMIN_PROT: did you mean SVC_ADMIN_PORT\?$/],
    ['SVC_ADMIN_SANBOX', 'true', /did you mean SVC_ADMIN_SANDBOX\?$/],
    ['SVC_ADMIN_CONTRL_PORT', '1', /did you mean SVC_ADMIN_CONTROL_PORT\?$/],
  ])('refuse the variable %s=%s', (name, value, message) => {
    expect(() => resolveOptions({ env: { [name]: value } })).toThrow(message)
  })

  it('pass over what Kubernetes says of a Service whose name begins as theirs do', () => {
    const env = {
      SVC_ADMIN_SERVER_SERVICE_HOST: '10.0.0.1',
      SVC_ADMIN_SERVER_SERVICE_PORT_HTTP: '80',
      SVC_ADMIN_SERVER_PORT: 'tcp://10.0.0.1:80',
      SVC_ADMIN_SERVER_PORT_80_TCP_ADDR: '10.0.0.1',
    }
    expect(resolveOptions({ env })).toEqual(resolveOptions())
  })

  it('pass over the byte order mark that some editors begin a file with', () => {
    const marked = join(folder, 'marked.json')
    writeFileSync(marked, '\uFEFF{"port": 1}')
    expect(resolveOptions({ argv: ['--config', marked] }).port).toBe(1)
  })

  it('refuse an empty name of the file, members of it that stand twice, and a number for a text', () => {
    expect(() => resolveOptions({ argv: ['--config', ''] })).toThrow(/must name a file, and is empty/)
    const twice = join(folder, 'twice.json')
    writeFileSync(twice, '{"port": 1, "host": "port:", "p\\u006frt": 2}')
    expect(() => resolveOptions({ argv: ['--config', twice] })).toThrow(/twice\.json holds 'port' twice/)
    expect(() => resolveOptions({ argv: ['--config', file({ host: 5 })] })).toThrow(
      /'host' in .* must be a text/,
    )
    expect(resolveOptions({ argv: ['--config', file({ port: 5, host: 'h' })] })).toMatchObject({
      port: 5,
      host: 'h',
    })
  })

  it('wait no longer for headers than for the request that they are a part of', () => {
    expect(() => resolveOptions({ values: { headersTimeout: 6000 } })).toThrow(
      /'headersTimeout' \(6000\) must not be above 'requestTimeout' \(5000\)/,
    )
    expect(resolveOptions({ values: { requestTimeout: 1000 } }).headersTimeout).toBe(1000)
  })

  it('name the file that cannot be read', () => {
    const path = join(folder, 'broken.json')
    writeFileSync(path, '{"port": }')
    expect(() => resolveOptions({ argv: ['--config', path] })).toThrow(
      /options file .*broken\.json cannot be/,
    )
    expect(() => resolveOptions({ argv: ['--config', 'absent.json'] })).toThrow(/absent\.json cannot be read/)
  })

  it.each([
    ['--port', '-1', '--port has no value; one that begins with a dash is written --port=-…'],
    ['--portt', '1', "Unknown option '--portt'"],
  ])('refuse the flags %s %s in one sentence', (flag, value, told) => {
    expect(() => resolveOptions({ argv: [flag, value] })).toThrow(
      new Error(`${told}: svc-admin-server --help lists the options`),
    )
  })

  it('refuse what is no address of a database, wherever it comes from, and print nothing of it', () => {
    const wrong = ' postgres://me:secret@host/db'
    for (const source of [{ argv: ['--database', wrong] }, { env: { [variableOf('database')]: wrong } }]) {
      expect(() => resolveOptions(source)).toThrow(/must be a file, :memory:, or postgres:.* without quotes/)
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
  ])('print %s as %s', (database, printed) => {
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
  ])('take the public address %j as it may stand in a header and in JSON', (publicUrl, taken) => {
    expect(resolveOptions({ values: { publicUrl } }).publicUrl).toBe(taken)
  })

  it.each([
    ['http://u:hush@h', 'http://u:***@h'],
    ['http://u@h', 'http://u@h'],
    ['https://h/?a=b', 'https://h/?a=b'],
    ['https://h/#a', 'https://h/#a'],
    ['https://h#', 'https://h#'],
  ])('refuse the public address %s, and print no password of it', (publicUrl, printed) => {
    expect(() => resolveOptions({ values: { publicUrl } })).toThrow(
      `'publicUrl' must be an http or https address without a user, a query or a fragment, not '${printed}'`,
    )
  })
})
