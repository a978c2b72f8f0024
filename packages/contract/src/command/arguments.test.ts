import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Misconfiguration } from '../model/signals.ts'
import { parseArguments, selectionOf, targetOf } from './arguments.ts'

const here = ['--base-url', 'http://127.0.0.1:1']
const valuesOf = (...argv: string[]) => parseArguments(['run', ...argv]).values

test('passes the limits on a run to the target and the selection', () => {
  const values = valuesOf(...here, '--read-only', '--rate', '5', '--timeout', '7', '--smoke')
  expect(targetOf(values)).toMatchObject({ readOnly: true, requestsPerSecond: 5, timeoutMs: 7000 })
  expect(selectionOf(values)).toEqual({ readOnly: true, smoke: true })
  expect(targetOf(valuesOf(...here))).not.toHaveProperty('readOnly')
  expect(() => targetOf(valuesOf(...here, '--rate', '0'))).toThrow(Misconfiguration)
})

test.each(['http://127.0.0.1:1', 'http://127.8.9.1', 'http://localhost:8080', 'http://[::1]:8080'])(
  '%s is this machine, which needs no permission',
  (address) => {
    expect(targetOf(valuesOf('--base-url', address)).baseUrl).toBe(address)
  },
)

test.each([
  'https://api.example.com',
  'http://10.0.0.1',
  'http://192.168.1.1',
  'http://172.16.0.1:8080',
  'http://127.0.0.1.example.com',
  'http://127.example.com',
  'http://localhost.example.com',
  'http://[::ffff:10.0.0.1]',
])('%s is another machine, which needs permission', (address) => {
  expect(() => targetOf(valuesOf('--base-url', address))).toThrow('--yes-this-target')
  expect(targetOf(valuesOf('--base-url', address, '--yes-this-target')).baseUrl).toBe(address)
  const control = ['--control', address]
  expect(() => targetOf(valuesOf(...here, ...control))).toThrow('--yes-this-target')
  expect(targetOf(valuesOf(...here, ...control, '--yes-this-target')).control).toBe(address)
})

test('an address in a target file needs permission too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-arguments-'))
  const file = join(folder, 'target.json')
  for (const target of [
    { baseUrl: 'https://api.example.com' },
    { baseUrl: 'http://127.0.0.1:1', control: 'https://api.example.com' },
  ]) {
    writeFileSync(file, JSON.stringify(target))
    expect(() => targetOf(valuesOf('--target', file))).toThrow('api.example.com is not this machine')
    expect(targetOf(valuesOf('--target', file, '--yes-this-target'))).toMatchObject(target)
  }
  rmSync(folder, { recursive: true })
})
