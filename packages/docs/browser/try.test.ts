import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { md5 } from '../src/browser/md5.ts'
import { findings } from './axe.ts'
import { chromiumPath, launch } from './chromium.ts'
import { looks } from './looks.ts'
import { type Answer, type StaticServer, serveSite } from './static-server.ts'

const keys = { publicKey: 'public', privateKey: 'private' }
const credentials = {
  baseUrl: '',
  apiKey: keys,
  serviceAccount: { clientId: 'id', clientSecret: 'secret' },
  groupId: '64b7e1c20f3a5d6e7f809101',
  orgId: '64b7e0a10f3a5d6e7f809001',
}

/** A server with one key pair, which answers every call with what it was asked. */
const answer: Answer = (method, path, headers) => {
  if (path === '/sandbox/credentials.json') return { status: 200, body: JSON.stringify(credentials) }
  if (!path.startsWith('/api/')) return undefined
  const given = /nonce="n".*uri="([^"]*)".*cnonce="([^"]*)", response="([^"]*)"/.exec(
    String(headers.authorization ?? ''),
  )
  const [, uri = '', cnonce = '', response] = given ?? []
  const secret = md5(`${keys.publicKey}:r:${keys.privateKey}`)
  const expected = md5(`${secret}:n:00000001:${cnonce}:auth:${md5(`${method}:${path}`)}`)
  if (uri !== path || response !== expected)
    return {
      status: 401,
      headers: { 'WWW-Authenticate': 'Digest realm="r", qop="auth", nonce="n", algorithm=MD5' },
    }
  return { status: 200, body: JSON.stringify({ method, path, accept: headers.accept }) }
}

let browser: Browser
let server: StaticServer
let page: Page

async function open(path: string): Promise<void> {
  await page.goto(server.origin + path)
  await page.waitForSelector('#try-operation')
}

describe.skipIf(!chromiumPath)('trying operations in Chromium', () => {
  beforeAll(async () => {
    server = await serveSite(answer)
    browser = await launch()
    page = await browser.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  test('sending makes a real Digest exchange and shows the answer', async () => {
    await open('/try/')
    await page.getByRole('button', { name: 'Send' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('#answer')
    const shown = await page.locator('#try-output').innerText()
    expect(shown).toContain('"path": "/api/')
    expect(shown).toContain('--digest -u public:private')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const call = page.locator('#try-output figure', { hasText: '--digest' })
    await call.getByRole('button', { name: 'Copy' }).click()
    await call.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      await call.locator('pre').textContent(),
    )
  }, 60_000)

  test('another operation or version changes the form in place: credentials, focus and address are kept', async () => {
    await open('/try/?operation=listAlerts')
    await page.locator('#try-private').fill('typed')
    const operation = page.getByLabel('Operation', { exact: true })
    await operation.focus()
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(() => !location.search.includes('listAlerts'))
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('try-operation')
    await page.getByLabel('Version').selectOption('v1.0')
    await page.waitForFunction(() => location.search.includes('version=v1.0'))
    expect(await page.locator('#try-private').inputValue()).toBe('typed')
    await page.reload()
    await page.waitForSelector('.send')
    expect(await page.getByLabel('Version').inputValue()).toBe('v1.0')
  })

  test('an operation that a version has not is said not to be there', async () => {
    await open('/try/?operation=acknowledgeAlert')
    expect(await page.locator('.send').count()).toBe(1)
    await page.goto(`${server.origin}/try/?operation=noSuchOperation`)
    const alert = page.locator('#try [role=alert]')
    expect(await alert.innerText()).toContain('noSuchOperation is not in')
    expect(await page.locator('.send').count()).toBe(0)
    await page.getByLabel('Operation', { exact: true }).selectOption('getAlert')
    await page.waitForSelector('.send')
    expect(await alert.count()).toBe(0)
    await page.goto(`${server.origin}/try/?version=1999-01-01`)
    expect(await alert.innerText()).toContain('There is no version 1999-01-01')
  })

  test('the list of operations is filtered by words, and Enter takes the first', async () => {
    await open('/try/?operation=listAlerts')
    await page.getByLabel('Filter operations').fill('snapshot restore')
    const listed = await page.locator('#try-operation option').count()
    expect(listed).toBeGreaterThan(1)
    expect(listed).toBeLessThan(20)
    expect(await page.getByLabel('Operation', { exact: true }).inputValue()).toBe('listAlerts')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => !location.search.includes('listAlerts'))
  })

  test('what cannot be sent is said at its input, which has the focus', async () => {
    await open('/try/?operation=createAlertConfig')
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    const group = page.getByLabel('groupId')
    const list = page.locator('#try-body-notifications')
    await group.fill('')
    await list.fill('[1')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('try-path-groupId')
    expect(await page.locator('#try-path-groupId-fault').innerText()).toBe('This must not be empty.')
    expect(await page.locator('#try-body-notifications-fault').innerText()).toContain('not JSON')
    expect(await list.getAttribute('aria-invalid')).toBe('true')
    expect(await group.getAttribute('required')).toBe('')
    await group.fill('64b7')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.locator('#try-path-groupId-fault').innerText()).toMatch(/24|match/)
    expect(sent).toEqual([])
    expect(await findings(page)).toEqual([])
  })

  test('only the credentials of the chosen kind are shown, and the program declares its own', async () => {
    await open('/try/?operation=listAlerts')
    expect(await page.getByLabel('Client secret').isVisible()).toBe(false)
    await page.getByLabel('Service account (token)').check()
    expect(await page.getByLabel('Client secret').isVisible()).toBe(true)
    expect(await page.getByLabel('Private key').isVisible()).toBe(false)
    await page.getByLabel('API key (Digest)').check()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForSelector('#answer')
    expect(await page.locator('#try-output').innerText()).toMatch(
      /credentials: \{\s+publicKey: process\.env\.SVC_PUBLIC_KEY/,
    )
  })

  test('the form is sound in every look, and no word of its labels is broken', async () => {
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 844 })
      await page.emulateMedia({ colorScheme })
      await open('/try/?operation=updateBackupSchedule')
      await page.waitForSelector('.send')
      expect(await findings(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      const broken = await page.locator('.try-field label').evaluateAll((labels) =>
        labels
          .filter((label) => label.getBoundingClientRect().height > 30)
          .filter((label) => !label.textContent?.replace(/ \*$/, '').includes(' '))
          .map((label) => label.textContent),
      )
      expect(broken, String(width)).toEqual([])
    }
  }, 60_000)
})
