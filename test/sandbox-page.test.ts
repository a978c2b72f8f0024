import { type RunningServer, startServer } from '@svc-admin/server'
import { loadDemo } from '@svc-admin/spec'
import { limits } from '@svc-admin/types'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findings } from '../packages/docs/browser/axe.ts'
import { chromiumPath, launch } from '../packages/docs/browser/chromium.ts'
import { type Look, looks } from '../packages/docs/browser/looks.ts'
import { bearerOf } from '../packages/server/test/token.ts'

const timeout = 120_000

let server: RunningServer
let browser: Browser
let authorization = ''

const groupId = String(loadDemo().projects?.[0]?.id)
const configs = `/api/svc/v2/groups/${groupId}/alertConfigs`

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const type = 'application/vnd.svc.2025-03-12+json'
  return fetch(server.url + path, { ...init, headers: { authorization, accept: type, 'content-type': type } })
}

const control = (method: string, path: string, body: unknown) =>
  fetch(`${server.controlUrl}${path}`, { method, body: JSON.stringify(body) })

/** Opens the page and collects problems: errors, and requests to other hosts. */
async function open(path = '/', look: Look = looks[2]) {
  const { width, colorScheme } = look
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== server.controlUrl && protocol !== 'data:') faults.push(`request to ${request.url()}`)
  })
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  await page.goto(server.controlUrl + path)
  await page.waitForSelector('#connection.live')
  await page.waitForSelector('#contents .projects li')
  return { page, faults }
}

const rows = (page: Page) => page.locator('#requests tr')
/** Returns the element that shows how many resources of a kind the first project has. */
const countOf = (page: Page, kind: string) =>
  page.locator('.projects > li').first().locator('dl > div', { hasText: kind }).locator('dd')

describe.skipIf(!chromiumPath)('the page of the sandbox', () => {
  beforeAll(async () => {
    server = await startServer({ sandbox: true })
    browser = await launch()
    authorization = await bearerOf(server.url)
    await ask(configs)
    await ask(`${configs}/nonsense`)
    await control('POST', '/faults', { operationId: 'listAlerts', kind: 'status', status: 503, times: 1 })
    await ask(`/api/svc/v2/groups/${groupId}/alerts`)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  test.for(looks)(
    'has no problems and sends no requests to other hosts: $colorScheme, $width pixels',
    { timeout },
    async (look) => {
      const { page, faults } = await open('/', look)
      await rows(page).first().waitFor()
      faults.push(...(await findings(page)))
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (overflow > 0) faults.push(`${overflow} pixels too wide`)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('shows a request with its response and its changes', { timeout }, async () => {
    const { page, faults } = await open()
    expect(await rows(page).first().innerText()).toMatch(
      /503[\s\S]*listAlerts[\s\S]*UNAVAILABLE; fault: status/,
    )
    const before = Number(await countOf(page, 'alert configs').innerText())
    const body = JSON.stringify({ eventTypeName: 'HOST_DOWN', notifications: [] })
    await ask(configs, { method: 'POST', body })
    await page.waitForSelector('#requests tr:first-child >> text=createAlertConfig')
    const shown = await rows(page).first().innerText()
    expect(shown).toContain(`POST ${configs}`)
    expect(shown).toMatch(/200[\s\S]*svc_sa_/)
    await page.waitForFunction(
      (count) => document.querySelector('.projects li dl')?.textContent?.includes(`alert configs${count}`),
      before + 1,
    )
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('shows the running clock of the world', { timeout }, async () => {
    await control('PUT', '/clock', { now: '2030-01-01T00:00:00Z', rate: 0 })
    const { page } = await open()
    const header = page.locator('header')
    expect(await header.innerText()).toMatch(/2030-01-01 00:00:00\s+UTC\s+stopped/)
    await control('PUT', '/clock', { advanceSeconds: 86_400, rate: 3600 })
    await ask('/api/svc/v2/alertConfigs/matchers/fieldNames')
    await page.waitForSelector('header >> text=× 3600')
    expect(await header.innerText()).toContain('2030-01-02')
    await page.context().close()
    await control('POST', '/reset', {})
  })

  test('shows each world only its own data', { timeout }, async () => {
    const { remove } = await server.createWorld({ id: 'beside' })
    const { page, faults } = await open('/worlds/beside/')
    expect(await page.locator('h1').innerText()).toBe('Sandbox beside')
    await ask(configs)
    await fetch(`${server.url}/worlds/beside${configs}`)
    await rows(page).first().waitFor()
    expect(await rows(page).count()).toBe(1)
    expect(await rows(page).first().innerText()).toMatch(/401[\s\S]*UNAUTHORIZED[\s\S]*anonymous/)
    expect(faults).toEqual([])
    await page.context().close()
    await remove()
  })

  test('escapes text', { timeout }, async () => {
    const name = '<img src=x onerror="document.title=1"><b>bold</b>'
    await control('POST', '/seed', { organizations: [{ id: 'a'.repeat(24), name }] })
    const { page, faults } = await open()
    expect(await page.locator('#contents h3').allInnerTexts()).toContain(name)
    expect([await page.locator('#contents img, #contents b').count(), await page.title()]).toEqual([
      0,
      'Sandbox',
    ])
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('reports a deleted world, and recovers when it is recreated', { timeout }, async () => {
    const first = await server.createWorld({ id: 'comes-back' })
    const { page } = await open('/worlds/comes-back/')
    await fetch(`${server.url}/worlds/comes-back${configs}`)
    await rows(page).first().waitFor()
    await first.remove()
    await page.waitForSelector("#connection >> text=This world doesn't exist")
    expect([await rows(page).count(), await page.locator('#contents li').count()]).toEqual([0, 0])
    const second = await server.createWorld({ id: 'comes-back' })
    await page.waitForSelector('#connection.live')
    await page.waitForSelector('#contents .projects li')
    await page.context().close()
    await second.remove()
  })

  test('shows the current requests after the log was cleared, and after a restart', {
    timeout,
  }, async () => {
    const own = await startServer({ sandbox: true })
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${own.controlUrl}/`)
    await page.waitForSelector('#connection.live')
    const emptied = () => page.waitForSelector('#no-requests:not([hidden])')
    for (const [method, path] of [
      ['DELETE', '/requests'],
      ['POST', '/reset'],
    ] as const) {
      await fetch(own.url + configs)
      await rows(page).first().waitFor()
      await fetch(own.controlUrl + path, { method })
      await emptied()
    }
    await fetch(own.url + configs)
    await rows(page).first().waitFor()
    await own.stop()
    await page.waitForSelector('#connection >> text=Disconnected. Reconnecting')
    const again = await startServer({
      sandbox: true,
      controlPort: Number(new URL(own.controlUrl ?? '').port),
    })
    await page.waitForSelector('#connection.live')
    await emptied()
    expect(await rows(page).count()).toBe(0)
    await context.close()
    await again.stop()
  })

  test('rejects invalid times and escapes world names in URLs', {
    timeout,
  }, async () => {
    await control('POST', '/seed', {
      organizations: [{ id: 'b'.repeat(24), name: 'w'.repeat(limits.name.maxLength) }],
    })
    await control('PUT', '/clock', { now: '9998-01-01T00:00:00Z', rate: 1e300 })
    const { page, faults } = await open()
    await page.waitForSelector('header >> text=9999-12-31 00:00:00')
    await page.waitForTimeout(600)
    expect(await page.locator('#clock').innerText()).toBe('9999-12-31 00:00:00')
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
    expect(faults).toEqual([])
    await page.context().close()
    await control('POST', '/reset', {})
  })
})
