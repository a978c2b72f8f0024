import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const tsx = createRequire(import.meta.url).resolve('tsx/cli')
const main = fileURLToPath(new URL('main.ts', import.meta.url))

const diff = (...args: string[]): Promise<{ code: unknown; printed: string; stderr: string }> =>
  new Promise((resolve) =>
    execFile(process.execPath, [tsx, main, ...args], (error, printed, stderr) =>
      resolve({ code: error?.code ?? 0, printed, stderr }),
    ),
  )

it('compares two versions', async () => {
  const { code, printed } = await diff('2024-05-30', '2024-08-05')
  expect([code, printed]).toEqual([0, expect.stringContaining('2024-08-05')])
})

it('prints its usage', async () => {
  expect(await diff('--help')).toMatchObject({
    code: 0,
    stderr: '',
    printed: expect.stringMatching(/^Usage: /),
  })
})

it.each([
  [['nope', '2024-05-30'], 'nope is neither a version nor a commit. Versions: v1.0, 2023-01-01, '],
  [['v2', 'nope'], 'nope is neither a version nor a commit'],
  [['2024-05-30'], 'AFTER is missing. Pass the version to compare with 2024-05-30.'],
  [['v2'], 'AFTER is missing. Pass the version to compare with v2.'],
  [[], 'BEFORE is missing.'],
  [['v2', 'v2', 'v2'], 'Unexpected argument: v2.'],
  [['--format', 'x', 'v1.0', 'v2'], '--format must be text, markdown or json, but was x.'],
  [['--bogus'], "Unknown option '--bogus'"],
])('rejects %j with a message and no stack trace', async (args, why) => {
  const { code, printed, stderr } = await diff(...args)
  expect([code, printed]).toEqual([2, ''])
  expect(stderr.startsWith(why), stderr).toBe(true)
  expect(stderr).not.toMatch(/^ {4}at /m)
})
