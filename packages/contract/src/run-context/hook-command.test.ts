import { describe, expect, test } from 'vitest'
import { runCommand } from './hook-command.ts'

const soon = { timeoutMs: 20_000 }

describe.skipIf(process.platform === 'win32')('a hook command', () => {
  test('gets JSON and returns JSON or nothing', async () => {
    expect(await runCommand('cat', { seconds: 3 }, soon)).toEqual({ seconds: 3 })
    expect(await runCommand('true', { seconds: 3 }, soon)).toBeNull()
  })

  test('may write output in pieces that split a character', async () => {
    expect(await runCommand("printf '\"\\303'; sleep 0.1; printf '\\251\"'", {}, soon)).toBe('é')
  })

  test('adds no process listener for each command', async () => {
    await Promise.all(Array.from({ length: 12 }, () => runCommand('true', {}, soon)))
    expect(process.listeners('exit').filter(({ name }) => name === 'endAll')).toHaveLength(1)
  })

  test('may leave its input unread', async () => {
    expect(await runCommand('exec <&-; sleep 0.1', 'x'.repeat(1_000_000), soon)).toBeNull()
  })

  test('fails if its exit code is not 0', async () => {
    await expect(runCommand('exit 3', {}, soon)).rejects.toThrow('the hook exit 3 ended with 3')
  })

  test('is killed with all its child processes after its timeout', async () => {
    const hanging = runCommand('sleep 600 & sleep 600', {}, { timeoutMs: 50 })
    await expect(hanging).rejects.toThrow('the hook sleep 600 & sleep 600 was still running after 0.05 s')
    // The shell exits, but its child process keeps the output open.
    await expect(runCommand('sleep 600 &', {}, { timeoutMs: 50 })).rejects.toThrow('was still running')
  })

  test('is killed if the kit no longer waits for it', async () => {
    const controller = new AbortController()
    const given = runCommand('sleep 600', {}, { ...soon, signal: controller.signal })
    controller.abort()
    await expect(given).rejects.toThrow('ended with a signal')
  })
})
