import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type RunningServer, startServer } from '@svc-admin/server'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const site = fileURLToPath(new URL('../packages/docs/dist/site/', import.meta.url))
const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
)
if (!executablePath)
  console.warn('Skipped the tests of the request form: Chromium was not found. Set CHROMIUM_PATH.')

let server: RunningServer
let browser: Browser

/** Opens an operation's form, sends the request and returns the response that the page shows. */
async function sendFrom(page: Page, operation: string): Promise<{ status: string; text: string }> {
  await page.goto(`${server.url}/try/?operation=${operation}`)
  await page.waitForSelector('.send')
  return send(page)
}

async function send(page: Page): Promise<{ status: string; text: string }> {
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForSelector('#try-output .badge')
  const output = page.locator('#try-output')
  return { status: await output.locator('.badge').innerText(), text: await output.innerText() }
}

describe.skipIf(!executablePath)('the request form of an operation', () => {
  beforeAll(async () => {
    server = await startServer({ sandbox: true, docs: site })
    browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const open = async () => (await browser.newContext()).newPage()

  test('returns the same list with Digest and with a token', { timeout: 120_000 }, async () => {
    const page = await open()
    const digest = await sendFrom(page, 'listAlerts')
    expect(digest.status).toBe('200 OK')
    expect(digest.text).toContain('"totalCount"')
    await page.reload()
    await page.waitForSelector('.send')
    await page.getByLabel('Service account (token)').check()
    const token = await send(page)
    expect(token.status).toBe('200 OK')
    expect(token.text).toContain('Authorization: Bearer')
    await page.context().close()
  })

  test('creates a resource, and the displayed curl command does the same', {
    timeout: 120_000,
  }, async () => {
    const page = await open()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    const created = await sendFrom(page, 'createAlertConfig')
    expect(created.status).toMatch(/^20[01]/)
    expect(created.text).toContain('await client.createAlertConfig(')
    const blocks = page.locator('#try-output figure')
    const body: { id: string } = JSON.parse(await blocks.nth(0).locator('code').innerText())
    const curl = await blocks.nth(2).locator('code').innerText()
    const again: { id: string } = JSON.parse((await run('sh', ['-c', curl])).stdout)
    expect(again.id).not.toBe(body.id)
    await page.goto(`${server.url}/try/?operation=getAlertConfig`)
    await page.locator('#try-path-alertConfigId').fill(body.id)
    const read = await send(page)
    expect(read.status).toBe('200 OK')
    expect(read.text).toContain(body.id)
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('shows error responses', { timeout: 120_000 }, async () => {
    const page = await open()
    await page.goto(`${server.url}/try/?operation=listAlerts`)
    await page.locator('#try-private').fill('wrong')
    const refused = await send(page)
    expect(refused.status).toBe('401 Unauthorized')
    expect(refused.text).toContain('UNAUTHORIZED')
    await page.context().close()
  })

  test("all kinds of pages work with the server's content security policy", {
    timeout: 120_000,
  }, async () => {
    const page = await open()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    for (const path of ['/', '/search/?q=alert', '/implementers/', '/conformance/report/']) {
      await page.goto(server.url + path)
      await page.waitForSelector('h1')
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
