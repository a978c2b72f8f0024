import { describe, expect, test } from 'vitest'
import { md5 } from '../src/browser/md5.ts'
import { findings } from './axe.ts'
import { chromiumPath } from './chromium.ts'
import { looks } from './looks.ts'
import { siteInChromium } from './site-in-chromium.ts'
import { type Response, serveSite } from './static-server.ts'

const keys = { publicKey: 'public', privateKey: 'private' }
const credentials = {
  baseUrl: '',
  apiKey: keys,
  serviceAccount: { clientId: 'id', clientSecret: 'secret' },
  groupId: '64b7e1c20f3a5d6e7f809101',
  orgId: '64b7e0a10f3a5d6e7f809001',
}

/** Simulates a server that accepts one key pair and returns each request as its response. */
const respond: Response = (method, path, headers) => {
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

/** Opens a page and waits for its form, which is loaded with the operations of its version. */
async function open(path: string): Promise<void> {
  await site.page.goto(site.origin + path)
  await site.page.waitForSelector('.send')
}

const site = siteInChromium(respond)

describe.skipIf(!chromiumPath)('trying operations in Chromium', () => {
  test('sends a request with Digest and shows the response', async () => {
    await open('/try/')
    await site.page.getByRole('button', { name: 'Send' }).focus()
    await site.page.keyboard.press('Enter')
    await site.page.waitForSelector('#response')
    const shown = await site.page.locator('#try-output').innerText()
    expect(shown).toContain('"path": "/api/')
    expect(shown).toContain('--digest -u public:private')
    await site.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const call = site.page.locator('#try-output figure', { hasText: '--digest' })
    await call.getByRole('button', { name: 'Copy' }).click()
    await call.getByRole('button', { name: 'Copied' }).waitFor()
    await site.page.getByRole('status').getByText('Copied', { exact: true }).waitFor()
    expect(await site.page.evaluate(() => navigator.clipboard.readText())).toBe(
      await call.locator('pre').textContent(),
    )
  }, 60_000)

  test('retains credentials and focus when the operation or version changes', async () => {
    await open('/try/?operation=listAlerts')
    await site.page.locator('#try-private').fill('typed')
    const operation = site.page.getByLabel('Operation', { exact: true })
    await operation.focus()
    await site.page.keyboard.press('ArrowDown')
    await site.page.waitForFunction(() => !location.search.includes('listAlerts'))
    expect(await site.page.evaluate(() => document.activeElement?.id)).toBe('try-operation')
    await site.page.getByLabel('Version').selectOption('v1.0')
    await site.page.waitForFunction(() => location.search.includes('version=v1.0'))
    expect(await site.page.locator('#try-private').inputValue()).toBe('typed')
    await site.page.reload()
    await site.page.waitForSelector('.send')
    expect(await site.page.getByLabel('Version').inputValue()).toBe('v1.0')
  })

  test('shows that a version does not have an operation', async () => {
    await open('/try/?operation=acknowledgeAlert')
    await site.page.goto(`${site.origin}/try/?operation=noSuchOperation`)
    const alert = site.page.locator('#try [role=alert]')
    expect(await alert.innerText()).toContain('noSuchOperation is not in')
    expect(await site.page.locator('.send').count()).toBe(0)
    await site.page.getByLabel('Operation', { exact: true }).selectOption('getAlert')
    await site.page.waitForSelector('.send')
    expect(await alert.count()).toBe(0)
    await site.page.goto(`${site.origin}/try/?version=1999-01-01`)
    expect(await alert.innerText()).toContain('Version 1999-01-01 doesn’t exist')
  })

  test('leads back to the operation, at its version', async () => {
    await open('/try/?operation=createAlertConfig&version=2023-01-01')
    await site.page.getByRole('link', { name: 'Reference: Create an alert configuration' }).click()
    await site.page.waitForURL('**/operations/createAlertConfig/?version=2023-01-01')
  })

  test('uses a server that the reader enters and that allows it, with Digest', async () => {
    const cors: Response = (method, path, headers) => {
      const reply = method === 'OPTIONS' ? { status: 204 } : respond(method, path, headers)
      return (
        reply && {
          ...reply,
          headers: {
            ...reply.headers,
            'Access-Control-Allow-Origin': '*',
            'Access-Control-Allow-Headers': 'Authorization, Accept, Content-Type',
            'Access-Control-Expose-Headers': 'WWW-Authenticate',
          },
        }
      )
    }
    const [page, other] = [await serveSite(), await serveSite(cors)]
    await site.page.goto(`${page.origin}/try/?operation=listAlerts`)
    await site.page.getByRole('button', { name: 'Send' }).click()
    await site.page.getByText('Enter an address that starts with https:// or http://.').waitFor()
    await site.page.getByLabel('Server').fill(`${other.origin}/`)
    await site.page.getByLabel('groupId').fill(credentials.groupId)
    await site.page.getByLabel('Public key').fill(keys.publicKey)
    await site.page.getByLabel('Private key').fill(keys.privateKey)
    await site.page.getByRole('button', { name: 'Send' }).click()
    await site.page.waitForSelector('#response')
    const shown = await site.page.locator('#try-output').innerText()
    expect(shown).toContain('200 OK')
    expect(shown).toContain(`${other.origin}/api/`)
    await site.page.reload()
    expect(await site.page.getByLabel('Server').inputValue()).toBe(other.origin)
    await site.page.getByLabel('groupId').fill(credentials.groupId)
    other.close()
    await site.page.getByRole('button', { name: 'Send' }).click()
    await site.page.getByText(`No readable response from ${other.origin}.`).waitFor()
    page.close()
  }, 60_000)

  test('filters operations by words, and selects the first on Enter', async () => {
    await open('/try/?operation=listAlerts')
    await site.page.getByLabel('Filter operations').fill('restore job')
    const listed = await site.page.locator('#try-operation option').count()
    expect(listed).toBeGreaterThan(1)
    expect(listed).toBeLessThan(20)
    expect(await site.page.getByLabel('Operation', { exact: true }).inputValue()).toBe('listAlerts')
    await site.page.keyboard.press('Enter')
    await site.page.waitForFunction(() => !location.search.includes('listAlerts'))
  })

  test('shows invalid values at the input and focuses it', async () => {
    await open('/try/?operation=createAlertConfig')
    const sent: string[] = []
    site.page.on('request', (request) => sent.push(request.url()))
    const group = site.page.getByLabel('groupId')
    const list = site.page.locator('#try-body-notifications')
    await group.fill('')
    await list.fill('[1')
    await site.page.getByRole('button', { name: 'Send' }).click()
    expect(await site.page.evaluate(() => document.activeElement?.id)).toBe('try-path-groupId')
    expect(await site.page.locator('#try-path-groupId-fault').innerText()).toBe('Enter a value.')
    expect(await site.page.locator('#try-body-notifications-fault').innerText()).toContain('Invalid JSON')
    expect(await list.getAttribute('aria-invalid')).toBe('true')
    expect(await group.getAttribute('required')).toBe('')
    await group.fill('64b7')
    await site.page.getByRole('button', { name: 'Send' }).click()
    expect(await site.page.locator('#try-path-groupId-fault').innerText()).toMatch(/24|match/)
    expect(sent).toEqual([])
    expect(await findings(site.page)).toEqual([])
  })

  test('shows only the selected kind of credentials', async () => {
    await open('/try/?operation=listAlerts')
    expect(await site.page.getByLabel('Client secret').isVisible()).toBe(false)
    await site.page.getByLabel('Service account (token)').check()
    expect(await site.page.getByLabel('Client secret').isVisible()).toBe(true)
    expect(await site.page.getByLabel('Private key').isVisible()).toBe(false)
    await site.page.getByLabel('API key (Digest)').check()
    await site.page.getByRole('button', { name: 'Send' }).click()
    await site.page.waitForSelector('#response')
    expect(await site.page.locator('#try-output').innerText()).toContain(
      'createClient({ ...fromEnv(), version: ',
    )
  })

  test('has an accessible form in every look, without broken words', async () => {
    for (const { width, colorScheme } of looks) {
      await site.page.setViewportSize({ width, height: 844 })
      await site.page.emulateMedia({ colorScheme })
      await open('/try/?operation=updateBackupSchedule')
      expect(await findings(site.page)).toEqual([])
      expect(await site.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      // Long names can break between their words, which are separate text nodes.
      const broken = await site.page.locator('.try-field label').evaluateAll((labels) =>
        labels
          .filter((label) => !label.textContent?.replace(/ \*$/, '').includes(' '))
          .flatMap((label) =>
            [...label.childNodes].filter((word) => {
              const range = document.createRange()
              range.selectNodeContents(word)
              return word instanceof Text && range.getClientRects().length > 1
            }),
          )
          .map(({ textContent }) => textContent),
      )
      expect(broken, String(width)).toEqual([])
    }
  }, 60_000)
})
