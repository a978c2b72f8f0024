import { errorCodes } from '@svc-admin/types'
import { beforeEach, describe, expect, test } from 'vitest'
import { findings } from './axe.ts'
import { chromiumPath } from './chromium.ts'
import { looks } from './looks.ts'
import { siteInChromium } from './site-in-chromium.ts'

const passed = Array.from({ length: 300 }, (_, index) => ({
  requirement: `a.passed-${index}`,
  verdict: 'PASS',
}))
const broken = {
  requirement: 'accessHistory.newest-first',
  operation: 'listAccessLogsByCluster',
  version: '2023-01-01',
  variant: '<b>two</b>',
  verdict: 'FAIL',
  strength: 'decided',
  expected: 'the newest first',
  actual: 'the oldest first',
  curl: "curl -sS 'http://mine.example/api/a-long-path/that-does-not-fit/on-the-screen-of-a-phone'",
}
const report = {
  format: 'svc-admin-contract-report/3',
  target: 'http://mine.example',
  kit: '1',
  startedAt: 'now',
  summary: { PASS: 300, UNTESTABLE: 1, FAIL: 1 },
  requirements: {
    'accessHistory.newest-first': { text: 'Access log entries are sorted by time, newest first.' },
  },
  results: [
    ...passed,
    {
      requirement: 'a.lacking',
      operation: 'getAlert',
      version: 'v1.0',
      verdict: 'UNTESTABLE',
      reason: 'no alert',
    },
    broken,
  ],
  untested: [{ requirement: 'a.lacking', missing: ['no alert'] }],
  waiverProblems: ['a.gone excuses nothing'],
  leftovers: [{ operation: 'deleteAlertConfig', parameters: {}, reason: 'returned 500' }],
  coverage: [
    { operation: 'getAlert', version: 'v1.0', status: 404 },
    { operation: 'getAlert', version: 'v1.0', status: 200 },
  ],
}

const give = (text: string, name = 'report.json') =>
  site.page.setInputFiles('#report-file', { name, mimeType: 'application/json', buffer: Buffer.from(text) })

const site = siteInChromium()

describe.skipIf(!chromiumPath)('a report in Chromium', () => {
  beforeEach(async () => {
    await site.page.goto(`${site.origin}/conformance/report/`)
  })

  test('shows the location, expected and actual response, and curl command of each violation', async () => {
    await give(JSON.stringify(report))
    const rows = site.page.locator('.findings tbody tr')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(2)
    const first = await rows.first().innerText()
    const { operation, version, variant, expected, actual } = broken
    for (const text of [operation, version, variant, expected, actual, 'Access log entries are sorted'])
      expect(first).toContain(text)
    expect(await rows.first().getByRole('link').getAttribute('href')).toContain(
      '/requirements/access-tracking/#',
    )
    await rows.first().getByText('curl command').click()
    expect(await rows.first().locator('pre').innerText()).toBe(broken.curl)
    expect(await rows.last().innerText()).toContain('no alert')
  })

  test.each([1920, 1280])('does not break error codes at %d pixels', async (width) => {
    await site.page.setViewportSize({ width, height: 900 })
    const codes = Object.keys(errorCodes)
    const results = codes.map((code) => ({
      ...broken,
      variant: 'pageNum "99999999999999999999999"',
      expected: `400 ${code}: pageNum does not fit its schema`,
    }))
    const text = 'A query parameter that breaks a constraint of its schema is refused, whichever it is.'
    await give(JSON.stringify({ ...report, results, requirements: { [broken.requirement]: { text } } }))
    await site.page.locator('.findings dd').first().waitFor()
    const shownCodes = await site.page.locator('.findings dd').evaluateAll((texts) =>
      texts.flatMap(({ firstChild }) => {
        const [, before = '', code = ''] = /^(400 )([A-Z_]+):/.exec(firstChild?.textContent ?? '') ?? []
        if (firstChild === null || code === '') return []
        const range = document.createRange()
        range.setStart(firstChild, before.length)
        range.setEnd(firstChild, before.length + code.length)
        return [{ code, lines: range.getClientRects().length }]
      }),
    )
    expect(shownCodes).toEqual(codes.map((code) => ({ code, lines: 1 })))
  })

  test('shows passed checks in parts on demand', async () => {
    await give(JSON.stringify(report))
    const pass = site.page.getByRole('button', { name: 'PASS 300' })
    expect(await pass.getAttribute('aria-pressed')).toBe('false')
    await pass.click()
    expect(await pass.getAttribute('aria-pressed')).toBe('true')
    const rows = site.page.locator('.findings tbody tr')
    expect(await rows.count()).toBe(200)
    await site.page.getByRole('button', { name: '102 more rows' }).click()
    expect(await rows.count()).toBe(302)
    await site.page.getByRole('button', { name: 'FAIL 1' }).click()
    expect(await rows.first().innerText()).toContain('UNTESTABLE')
  })

  test('shows untested requirements, waivers, leftovers and statuses', async () => {
    await give(JSON.stringify(report))
    await site.page.getByText('Requirements that were not tested: 1').click()
    const view = site.page.locator('#report-view')
    for (const summary of ['Resources that the run couldn’t delete: 1', 'Statuses returned for'])
      await view.getByText(summary).click()
    const shown = await view.innerText()
    for (const text of [
      'Missing: no alert',
      'a.gone excuses nothing',
      'returned 500',
      'getAlert v1.0 200, 404',
    ])
      expect(shown).toContain(text)
  })

  test('shows notes on the whole run before the verdicts', async () => {
    const [gone, early] = ['which has been deleted', 'The run was interrupted after 2 of 9 checks']
    const notes = async (more: object) => {
      await site.page.reload()
      await give(JSON.stringify({ ...report, ...more }))
      await site.page.waitForSelector('.findings')
      const shown = await site.page.locator('#report-view').innerText()
      return [shown.includes(gone), shown.includes(early)]
    }
    expect(await notes({})).toEqual([false, false])
    expect(await notes({ inDemoCopy: true, interrupted: 'interrupted after 2 of 9 checks' })).toEqual([
      true,
      true,
    ])
    expect(await notes({ inDemoCopy: true, retainedResources: true })).toEqual([false, false])
  })

  test('is accessible and fits the screen in every look', async () => {
    for (const { width, colorScheme } of looks) {
      await site.page.setViewportSize({ width, height: 844 })
      await site.page.emulateMedia({ colorScheme })
      await give(JSON.stringify(report))
      await site.page.waitForSelector('.findings')
      await site.page.evaluate(() => {
        for (const part of document.querySelectorAll('details')) part.open = true
      })
      expect(await findings(site.page)).toEqual([])
      const tooWide = await site.page.evaluate(() =>
        ['html', '.scroll'].map((name) => {
          const part = document.querySelector(name)
          return part ? part.scrollWidth - part.clientWidth : Number.NaN
        }),
      )
      expect(tooWide, `${width} ${colorScheme}`).toEqual([0, 0])
    }
  }, 60_000)

  test('reads a dropped file and replaces the previous report', async () => {
    await give(JSON.stringify(report))
    await site.page.getByText('UNTESTABLE').first().waitFor()
    await site.page.locator('#report-drop').evaluate(
      (zone, text) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([text], 'dropped.json', { type: 'application/json' }))
        zone.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      },
      JSON.stringify({ ...report, summary: { FAIL: 1 }, results: [{ ...broken, requirement: 'a.dropped' }] }),
    )
    await site.page.getByText('a.dropped').first().waitFor()
    expect(await site.page.locator('#report-view').innerText()).not.toContain('UNTESTABLE')
  })

  test('shows an error for a file that is not a report', async () => {
    const alert = site.page.getByRole('alert')
    await give('oh no', 'notes.txt')
    expect(await alert.innerText()).toMatch(/^notes.txt is not JSON\. /)
    await give('{"format":"other"}')
    await site.page.getByText('but not a report of the conformance kit').waitFor()
    expect(await alert.innerText()).toContain('contract run --json')
  })
})
