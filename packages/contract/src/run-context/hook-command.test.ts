import { describe, expect, test } from 'vitest'
import { runCommand } from './hook-command.ts'

const soon = { timeoutMs: 20_000 }

describe.skipIf(process.platform === 'win32')('the command of a hook', () => {
  test('gets JSON and answers with JSON, or with nothing', async () => {
    expect(await runCommand('cat', { seconds: 3 }, soon)).toEqual({ seconds: 3 })
    expect(await runCommand('true', { seconds: 3 }, soon)).toBeNull()
  })

  test('may answer in pieces that cut a character', async () => {
    expect(await runCommand("printf '\"\\303'; sleep 0.1; printf '\\251\"'", {}, soon)).toBe('é')
  })

  test('is no listener of the process for each that runs', async () => {
    await Promise.all(Array.from({ length: 12 }, () => runCommand('true', {}, soon)))
    expect(process.listeners('exit').filter(({ name }) => name === 'endAll')).toHaveLength(1)
  })

  test('may leave unread what it gets', async () => {
    expect(await runCommand('exec <&-; sleep 0.1', 'x'.repeat(1_000_000), soon)).toBeNull()
  })

  test('has failed when it says so', async () => {
    await expect(runCommand('exit 3', {}, soon)).rejects.toThrow('the hook exit 3 ended with 3')
  })

  test('is ended with all that it has started when its time is over', async () => {
    const hanging = runCommand('sleep 600 & sleep 600', {}, { timeoutMs: 50 })
    await expect(hanging).rejects.toThrow('the hook sleep 600 & sleep 600 had not ended after 0.05 s')
    // The shell is gone, and what it started holds the output open.
    await expect(runCommand('sleep 600 &', {}, { timeoutMs: 50 })).rejects.toThrow('had not ended')
  })

  test('is ended when nobody waits for it any more', async () => {
    const controller = new AbortController()
    const given = runCommand('sleep 600', {}, { ...soon, signal: controller.signal })
    controller.abort()
    await expect(given).rejects.toThrow('ended with a signal')
  })
})
