import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createClient } from '@svc-admin/client'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from '../packages/docs/browser/chromium.ts'
import { groupId, owner } from './demo.ts'

const folder = fileURLToPath(new URL('../examples/alerts-page/', import.meta.url))

test('the example compiles', () => {
  const compiler = fileURLToPath(new URL('../scripts/tsc.mjs', import.meta.url))
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  expect(stdout).toBe('')
})

describe.skipIf(!chromiumPath)('the page in Chromium', () => {
  let api: RunningServer
  let url = ''
  let stop = (): void => undefined
  beforeAll(async () => {
    api = await startServer({ sandbox: true })
    const env = {
      ...process.env,
      SVC_BASE_URL: api.url,
      SVC_GROUP_ID: groupId,
      SVC_PUBLIC_KEY: owner.key.publicKey,
      SVC_PRIVATE_KEY: owner.key.privateKey,
      PORT: '0',
    }
    const child = spawn(process.execPath, ['--import', 'tsx', 'server.ts'], { cwd: folder, env })
    stop = () => void child.kill()
    url = await new Promise((resolve, reject) => {
      let errors = ''
      child.stdout.once('data', (line: Buffer) => resolve(`${line}`.trim()))
      child.stderr.on('data', (text: Buffer) => {
        errors += text
      })
      child.once('exit', () => reject(new Error(errors)))
    })
  })
  afterAll(async () => {
    stop()
    await api.stop()
  })

  test('lists the alerts and acknowledges one', async () => {
    const client = createClient({ baseUrl: api.url, credentials: owner.key, version: '2025-03-12' })
    const alerts = await client.listAlerts.toArray({ groupId })
    const open = alerts.find(({ acknowledgedUntil }) => acknowledgedUntil === undefined)
    const browser = await launch()
    try {
      const page = await browser.newPage()
      const failures: string[] = []
      page.on('pageerror', (error) => failures.push(error.message))
      await page.goto(url)
      const row = page.locator(`[data-alert="${open?.id}"]`)
      await row.getByRole('button', { name: 'Acknowledge for a day' }).click()
      await row.getByRole('button').waitFor({ state: 'detached' })
      expect(await page.locator('tbody tr').count()).toBe(alerts.length)
      const { acknowledgedUntil = '' } = await client.getAlert({ groupId, alertId: `${open?.id}` })
      expect(await row.textContent()).toContain(acknowledgedUntil)
      expect(acknowledgedUntil).not.toBe('')
      expect(failures).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
