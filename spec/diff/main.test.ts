import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const tsx = createRequire(import.meta.url).resolve('tsx/cli')
const main = fileURLToPath(new URL('main.ts', import.meta.url))

const diff = (...args: string[]): Promise<{ code: unknown; printed: string; refused: string }> =>
  new Promise((resolve) =>
    execFile(process.execPath, [tsx, main, ...args], (error, printed, refused) =>
      resolve({ code: error?.code ?? 0, printed, refused }),
    ),
  )

it('compares two versions', async () => {
  const { code, printed } = await diff('2024-05-30', '2024-08-05')
  expect([code, printed]).toEqual([0, expect.stringContaining('2024-08-05')])
})

it('says what it takes', async () => {
  expect(await diff('--help')).toMatchObject({
    code: 0,
    refused: '',
    printed: expect.stringMatching(/^Usage: /),
  })
})

it.each([
  [['nope', '2024-05-30'], 'nope is neither a version nor a commit: the versions are v1.0, 2023-01-01, '],
  [['v2', 'nope'], 'nope is neither a version nor a commit'],
  [['2024-05-30'], 'AFTER is missing: what 2024-05-30 is compared with.'],
  [['v2'], 'AFTER is missing: what v2 is compared with.'],
  [[], 'BEFORE is missing.'],
  [['v2', 'v2', 'v2'], 'v2: nothing was expected there.'],
  [['--format', 'x', 'v1.0', 'v2'], '--format x is none of them.'],
  [['--bogus'], "Unknown option '--bogus'"],
])('refuses %j in a sentence, and with no stack', async (args, why) => {
  const { code, printed, refused } = await diff(...args)
  expect([code, printed]).toEqual([2, ''])
  expect(refused.startsWith(why), refused).toBe(true)
  expect(refused).not.toMatch(/^ {4}at /m)
})
