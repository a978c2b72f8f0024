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
    const config = file({ port: 1, host: 'file', docs: 'file', logLevel: 'warn' })
    const options = resolveOptions({
      argv: ['--config', config, '--port', '3', '--host', 'flag'],
      env: { [variableOf('port')]: '2', [variableOf('docs')]: 'env' },
      values: { port: 4 },
    })
    expect(options).toMatchObject({ port: 4, host: 'flag', docs: 'env', logLevel: 'warn' })
  })

  it('take a boolean flag without a value, and its negation', () => {
    expect(resolveOptions({ argv: ['--enforce-sunset'] }).enforceSunset).toBe(true)
    expect(resolveOptions({ argv: ['--no-sandbox'], env: { SVC_ADMIN_SANDBOX: 'true' } }).sandbox).toBe(false)
  })

  it.each([
    [['--port', '70000'], /--port must be a whole number/],
    [['--port', '1e3'], /--port must be a whole number/],
    [['--log-level', 'loud'], /--log-level must be one of/],
    [['--unknown'], /unknown/i],
  ])('refuse %j and name the option', (argv, message) => {
    expect(() => resolveOptions({ argv })).toThrow(message)
  })

  it('refuse an unknown name or another shape in the file', () => {
    expect(() => resolveOptions({ argv: ['--config', file({ prot: 1 })] })).toThrow(/unknown option 'prot'/)
    expect(() => resolveOptions({ argv: ['--config', file([])] })).toThrow(/one JSON object/)
  })

  it('are printed without the password of the database', () => {
    const options = resolveOptions({ values: { database: 'postgres://me:secret@host/db' } })
    expect(maskOptions(options).database).toBe('postgres://me:***@host/db')
  })
})
