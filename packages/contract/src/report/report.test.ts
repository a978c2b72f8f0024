import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { exchange, reportOf, result } from '../../test/reports.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Result } from '../model/result.ts'
import { schemaErrors } from '../target/file.ts'
import { badge } from './badge.ts'
import { compareReports, comparisonText } from './compare.ts'
import { conclusion } from './conclusion.ts'
import { statusesSeen } from './coverage.ts'
import { htmlReport } from './html.ts'
import { style } from './html-page.ts'
import { exchangesReport, jsonReport, reportFromJson } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { exitCodeOf, type Report } from './report.ts'
import { sarifReport } from './sarif.ts'
import { terminalReport } from './terminal.ts'
import { applyWaivers } from './waivers.ts'

const report = reportOf([
  result('PASS', 'auth.digest-accepted'),
  result('FAIL', 'auth.no-credentials-refused'),
  result('FAIL', 'auth.no-credentials-refused', 'other'),
  result('UNTESTABLE', 'auth.bearer-accepted'),
])

const written = (one: Report) => JSON.parse([...jsonReport(one)].join(''))

test('the JSON report matches the published schema', () => {
  expect(schemaErrors('report', written(report))).toEqual([])
  expect(schemaErrors('report', { ...written(report), summary: { GOOD: 1 } })).not.toEqual([])
})

test('the JSON report has each listed result on its own line, findings first', () => {
  const text = [...jsonReport(report)].join('')
  const lines = text.split('\n').filter((line) => line.startsWith('{"id":'))
  expect(lines.map((line) => JSON.parse(line.replace(/,$/, '')).id)).toEqual([
    'auth.no-credentials-refused@getAlert@v1.0',
    'auth.no-credentials-refused@getAlert@v1.0#other',
    'auth.bearer-accepted@getAlert@v1.0',
  ])
  expect(written(reportOf([])).results).toEqual([])
})

test('a report read from its file is the same, except for what the file only counts', () => {
  const { exchange: _, ...passed } = result('PASS', 'errors.validation', 'with # and @')
  const all = reportOf([...report.results, passed, result('NOT APPLICABLE', 'paging.order')])
  const read = reportFromJson(written(all))
  expect(read.summary).toEqual(all.summary)
  expect(read.results.map(({ id, verdict }) => `${verdict} ${id}`).sort()).toEqual(
    all.results
      .filter(({ verdict }) => verdict !== 'NOT APPLICABLE')
      .map(({ id, verdict }) => `${verdict} ${id}`)
      .sort(),
  )
  expect(terminalReport(read)).toBe(terminalReport(all))
  expect(written(read)).toEqual(written(all))
})

test('only the first results of a finding have exchanges, and a separate file has all', () => {
  const many = Array.from({ length: 9 }, (_, index) => result('FAIL', 'errors.validation', `${index}`))
  const one = reportOf([...many, { ...result('PASS', 'paging.order'), exchange }])
  const listed: Result[] = written(one).results
  expect(listed.map((each) => each.exchange !== undefined && each.curl !== undefined)).toEqual([
    ...[true, true, true],
    ...Array(6).fill(false),
  ])
  const lines = [...exchangesReport(one)].map((line) => JSON.parse(line))
  expect(lines).toHaveLength(10)
  expect(lines.at(-1)).toMatchObject({
    id: 'paging.order@getAlert@v1.0',
    verdict: 'PASS',
    exchange: { url: exchange.url },
  })
})

test('the page shows the full length of a shortened body', () => {
  const body = '0'.repeat(1500)
  const page = (response: Exchange['response']) =>
    htmlReport(reportOf([{ ...result('PASS', 'auth.digest-accepted'), exchange: { ...exchange, response } }]))
  expect(page({ ...exchange.response, body, fullLength: 9000 })).toContain(`${body}\\n… (9000 characters)`)
  expect(page({ ...exchange.response, body: `${body}0` })).toContain(`${body}\\n… (1501 characters)`)
  expect(page({ ...exchange.response, body })).toContain(`${body}"`)
})

test('a violation fails, an error of the kit is separate, and untestable checks fail only on request', () => {
  expect(exitCodeOf(report)).toBe(1)
  expect(exitCodeOf(reportOf([result('WARN', 'auth.digest-accepted')]))).toBe(0)
  expect(
    exitCodeOf(reportOf([result('KIT ERROR', 'auth.digest-accepted'), result('FAIL', 'errors.validation')])),
  ).toBe(2)
  const untestable = [result('UNTESTABLE', 'auth.bearer-accepted')]
  expect(exitCodeOf(reportOf(untestable))).toBe(0)
  const asked = reportOf(untestable, { requireAll: true })
  expect(exitCodeOf(asked)).toBe(1)
  expect(schemaErrors('report', written(asked))).toEqual([])
  expect(exitCodeOf(reportOf([result('PASS', 'auth.digest-accepted')], { requireAll: true }))).toBe(0)
})

test('explains a run that fails because of untestable checks', () => {
  const untestable = [result('UNTESTABLE', 'auth.bearer-accepted')]
  const conclusionOf = (changes: Partial<Report>) => conclusion(reportOf(untestable, changes))
  expect(conclusionOf({})).toMatch(
    /^The target conforms as far as it could be tested\. 1 check could not run\./,
  )
  expect(conclusionOf({ requireAll: true })).toMatch(/but the run fails: --require-all/)
})

test('the text report fits 80 columns, except for lines to copy', () => {
  const lines = terminalReport(report).split('\n')
  expect(lines.filter((line) => line.length > 80 && !line.includes('curl '))).toEqual([])
  expect(lines.join('\n')).toMatch(/^1 {2}FAIL {2}\S.* {2}getAlert v1\.0$/m)
  expect(lines.join('\n')).toContain('Requirement  auth.no-credentials-refused (stated; ')
  expect(lines.join('\n')).toContain('Explains     1 more check\n')
  expect(lines.join('\n').replaceAll('\n', ' ')).toContain(
    'Exit code 1. The target does not conform. 1 of 1 implemented operation breaks the contract. 1 check could not run.',
  )
})

test('every report for people shows requirements that were not tested at all', () => {
  const green = reportOf([
    result('PASS', 'errors.validation'),
    result('UNTESTABLE', 'errors.validation', 'elsewhere'),
    result('NOT APPLICABLE', 'paging.order'),
    result('UNTESTABLE', 'auth.bearer-accepted'),
    result('UNTESTABLE', 'auth.bearer-accepted', 'again'),
  ])
  expect(green.untested).toEqual([{ requirement: 'auth.bearer-accepted', missing: ['a service account'] }])
  expect(terminalReport(green)).toContain('Not tested at all: 1 requirement\n  auth.bearer-accepted\n')
  expect(terminalReport(green)).toMatch(/No\s+check\s+could\s+run\s+for\s+1\s+requirement\./)
  expect(markdownReport(green)).toContain(
    '1 requirement not tested at all</summary>\n\n`auth.bearer-accepted`',
  )
  expect(htmlReport(green)).toMatch(/1 requirement not tested at all.*<code>auth\.bearer-accepted<\/code>/s)
  const tried = reportOf([
    result('PASS', 'auth.bearer-accepted'),
    result('UNTESTABLE', 'auth.bearer-accepted', 'x'),
  ])
  for (const told of [terminalReport(tried), markdownReport(tried), htmlReport(tried)])
    expect(told.toLowerCase()).not.toContain('not tested at all')
})

test('JUnit counts failures and skips, and escapes data from the target', () => {
  const xml = junitReport(report)
  expect(xml).toContain('<testsuite name="getAlert" tests="4" failures="2" errors="0" skipped="1" time="0">')
  expect(xml).toContain('status &lt;200&gt;')
  expect(xml).not.toContain('\u0000')
})

test('the JUnit message includes what was expected', () => {
  const xml = junitReport(report)
  expect(xml).toContain('<failure message="expected status 401, got status &lt;200&gt;" type="stated">')
  expect(xml).toContain('<skipped message="a service account"/>')
  expect(xml).toMatch(/type="stated">expected status 401\ngot status &lt;200&gt;/)
})

test('JUnit has no characters that XML forbids, regardless of what the target returns', () => {
  const hostile = '\u0000\u000b\u001f\u007f\ud800\udc00\ud800 \udfff \ufffe\uffff\u{1f511}é\t\n'
  const [fail] = report.results.filter(({ verdict }) => verdict === 'FAIL')
  const xml = junitReport(reportOf(fail ? [{ ...fail, actual: hostile, variant: hostile }] : []))
  // XML 1.0 §2.2 allows only these characters.
  expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u)
  expect(xml).toContain('\ud800\udc00\ufffd \ufffd \ufffd\ufffd\u{1f511}é')
})

test('the page embeds responses as data that cannot become markup', () => {
  const html = htmlReport(report)
  expect(html).not.toContain('<script>alert(1)')
  expect(html).not.toContain('</script><b>')
  expect(html.match(/<script/g)).toHaveLength(2)
  expect(html).toContain("default-src 'none'")
})

test("the page's policy allows only its own script", () => {
  const page = htmlReport(report)
  const [script = ''] = page.match(/(?<=<script>).*(?=<\/script>)/s) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  expect(page).toContain(`; script-src 'sha256-${hash}';`)
})

test('Markdown folds the details of each requirement', () => {
  const markdown = markdownReport(report)
  expect(markdown).toContain('| FAIL | 2 |')
  expect(markdown).toContain(
    '<details><summary>FAIL <code>auth.no-credentials-refused</code>, 2 checks</summary>',
  )
})

test('data from the target is never Markdown markup', () => {
  const hostile = '<img src=x onerror=alert(1)> `</details>` [a](http://x) ![b](http://y) @somebody\n\n# c'
  const [fail] = report.results.filter(({ verdict }) => verdict === 'FAIL')
  if (fail === undefined) throw new TypeError('there is no failed result')
  const curl = "curl -i -d '\n```\n<b>' http://127.0.0.1/a"
  const hostiles = { expected: hostile, actual: hostile, variant: hostile, curl }
  const markdown = markdownReport(
    reportOf([{ ...fail, ...hostiles }], {
      target: hostile,
      interrupted: hostile,
      waiverProblems: [hostile],
    }),
  )
  const outside = markdown.replaceAll(/^(`{4,})sh\n[\s\S]*?\n\1$/gm, '').replaceAll(/(?<!\\)`[^`\n]*`/g, '')
  expect(outside).not.toMatch(/<(?!\/?(details|summary|code)>)|(?<!\\)\]\(|^# /m)
  expect(outside.match(/<\/details>/g)).toHaveLength(1)
  expect(outside).not.toContain('<b>')
})

test('SARIF names rules by requirement and shows one result for each finding', () => {
  const sarif = JSON.parse(sarifReport(report))
  expect(sarif.version).toBe('2.1.0')
  expect(sarif.runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
    'auth.no-credentials-refused',
  ])
  expect(sarif.runs[0].results).toHaveLength(report.findings.length)
  const [first] = sarif.runs[0].results
  expect(first.partialFingerprints['contract/v1']).toBe(report.findings[0]?.results[0].id)
  expect(first.message.text).toMatch(/^getAlert v1\.0: expected status 401, .* \(explains 1 more check\)$/)
})

test('the badge shows the number of violations', () => {
  expect(badge(report)).toContain('1 failure')
  expect(badge(reportOf([]))).toContain('>conforms<')
  expect(badge(reportOf([result('UNTESTABLE', 'auth.bearer-accepted')]))).toContain('>conforms, 1 untested<')
})

const waiver = {
  requirement: 'auth.no-credentials-refused',
  operation: 'getAlert',
  reason: 'later',
  expires: '2026-12-31',
}

test('a waiver excuses its violation until it expires', () => {
  const waived = applyWaivers(report.results, [waiver], '2026-06-01')
  expect(waived.problems).toEqual([])
  expect(exitCodeOf({ ...report, results: waived.results })).toBe(0)
  const expired = applyWaivers(report.results, [waiver], '2027-01-01')
  expect(expired.problems).toEqual([
    'the waiver for auth.no-credentials-refused of getAlert expired on 2026-12-31',
  ])
  expect(exitCodeOf({ ...report, results: expired.results })).toBe(1)
})

test('a waiver applies on its last day', () => {
  const { results, problems } = applyWaivers(report.results, [waiver], waiver.expires)
  expect(problems).toEqual([])
  expect(exitCodeOf({ ...report, results })).toBe(0)
})

test('waived results are neither violations nor warnings, and excuse nothing else', () => {
  const waived = { waived: 'later' }
  const [fail, warn] = [result('FAIL', 'errors.validation'), result('WARN', 'paging.order')]
  const fine = reportOf([
    { ...fail, ...waived },
    { ...warn, ...waived },
  ])
  expect(terminalReport(fine)).toContain('The target conforms. 2 violations waived.')
  expect(badge(fine)).toContain('>conforms<')
  const broken = reportOf([fail, { ...warn, ...waived }])
  expect(terminalReport(broken)).toMatch(/The target does not conform\. .* 1 violation waived\./s)
  expect(badge(broken)).toContain('>1 failure<')
  expect(badge(reportOf([warn]))).toContain('>conforms, 1 warning<')
})

test('an unneeded waiver is stale and fails the run', () => {
  const { problems } = applyWaivers([result('PASS', 'auth.no-credentials-refused')], [waiver], '2026-06-01')
  expect(problems).toEqual([
    'the waiver for auth.no-credentials-refused of getAlert is no longer needed: there is no violation',
  ])
  expect(exitCodeOf(reportOf([], { waiverProblems: problems }))).toBe(1)
})

test('a waiver is not stale in a part of a run, nor if nothing was tested', () => {
  const passed = [result('PASS', 'auth.no-credentials-refused')]
  expect(applyWaivers(passed, [waiver], '2026-06-01', { part: true }).problems).toEqual([])
  expect(applyWaivers([result('PASS', 'errors.validation')], [waiver], '2026-06-01').problems).toEqual([])
  const untested = [result('UNTESTABLE', 'auth.no-credentials-refused')]
  expect(applyWaivers(untested, [waiver], '2026-06-01').problems).toEqual([])
  expect(applyWaivers(passed, [waiver], '2027-06-01', { part: true }).problems).toHaveLength(1)
})

test('compares what broke and what was fixed', () => {
  const before = reportOf([
    result('PASS', 'errors.validation'),
    result('FAIL', 'paging.order'),
    result('PASS', 'auth.digest-accepted'),
  ])
  const after = reportOf([
    result('FAIL', 'errors.validation'),
    result('PASS', 'paging.order'),
    result('UNTESTABLE', 'auth.digest-accepted'),
  ])
  const { broke, fixed, other } = compareReports(before, after)
  expect(broke.map(({ id }) => id)).toEqual(['errors.validation@getAlert@v1.0'])
  expect(fixed.map(({ id }) => id)).toEqual(['paging.order@getAlert@v1.0'])
  expect(other.map(({ id }) => id)).toEqual(['auth.digest-accepted@getAlert@v1.0'])
})

test.each([
  ['PASS', 'FAIL', 'broke'],
  ['PASS', 'KIT ERROR', 'broke'],
  ['WARN', 'FAIL', 'broke'],
  ['UNTESTABLE', 'FAIL', 'broke'],
  ['absent', 'FAIL', 'broke'],
  ['KIT ERROR', 'FAIL', 'broke'],
  ['FAIL', 'PASS', 'fixed'],
  ['FAIL', 'WARN', 'fixed'],
  ['WARN', 'LENIENT', 'fixed'],
  ['KIT ERROR', 'PASS', 'fixed'],
  ['FAIL', 'UNTESTABLE', 'other'],
  ['FAIL', 'NOT APPLICABLE', 'other'],
  ['FAIL', 'absent', 'other'],
  ['KIT ERROR', 'UNTESTABLE', 'other'],
  ['PASS', 'UNTESTABLE', 'other'],
  ['PASS', 'absent', 'other'],
  ['UNTESTABLE', 'PASS', 'other'],
  ['FAIL', 'FAIL', 'none'],
] as const)('a check that was %s and is %s: %s', (before, after, expected) => {
  const of = (verdict: Result['verdict'] | 'absent') =>
    reportOf(verdict === 'absent' ? [] : [result(verdict, 'errors.validation')])
  const compared = Object.entries(compareReports(of(before), of(after)))
  expect(compared.find(([, changes]) => changes.length > 0)?.[0] ?? 'none').toBe(expected)
  expect(compared.flatMap(([, changes]) => changes)).toHaveLength(expected === 'none' ? 0 : 1)
})

test('a comparison shows each requirement once, within 80 columns', () => {
  const many = (verdict: Result['verdict']) =>
    reportOf(Array.from({ length: 9 }, (_, index) => result(verdict, 'errors.validation', `member ${index}`)))
  const text = comparisonText(compareReports(many('PASS'), many('FAIL')))
  expect(text).toMatch(/^9 broke\n {2}PASS -> FAIL {2}errors\.validation\n {6}getAlert v1\.0 \(member 0\), /)
  expect(text).toMatch(/3 more\n0 fixed\n0 changed in other ways\n$/)
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('counts declared statuses once, and ignores other statuses', () => {
  const tried = [result('PASS', 'errors.validation'), result('PASS', 'errors.no-secret')]
  const place = { operation: 'getAlert', version: 'v1.0' }
  const none = statusesSeen([], tried)
  expect(none.seen).toBe(0)
  expect(none.declared).toBeGreaterThan(5)
  const came = [200, 404, 418, 500].map((status) => ({ ...place, status }))
  expect(statusesSeen(came, tried)).toEqual({ ...none, seen: 2 })
  expect(terminalReport(reportOf(tried)).replaceAll(/\s+/g, ' ')).toContain(
    `The target returned 1 of the ${none.declared} statuses declared by the tested operations (`,
  )
})

test('says which curl commands of a removed copy cannot be repeated', () => {
  const broken = reportOf([result('FAIL', 'errors.validation')])
  const forms = { terminalReport, markdownReport, htmlReport }
  for (const [name, write] of Object.entries(forms)) {
    const says = (report: Report) => write(report).replaceAll(/\s+/g, ' ').includes('use --keep --journal')
    expect([name, says(broken), says({ ...broken, inDemoCopy: true })]).toEqual([name, false, true])
    expect([name, says({ ...reportOf([result('PASS', 'errors.validation')]), inDemoCopy: true })]).toEqual([
      name,
      false,
    ])
  }
})

test('the page lists versions in their order', () => {
  const at = (version: string) => ({ ...result('PASS', 'errors.validation'), version })
  const page = htmlReport(reportOf(['2024-05-30', 'v1.0', '2024-08-05', '2023-01-01'].map(at)))
  const offered = /id="version".*?<\/select>/.exec(page)?.[0].match(/(?<=<option>)[^<]+/g)
  expect(offered).toEqual(['v1.0', '2023-01-01', '2024-05-30', '2024-08-05'])
})

/** Returns the relative luminance of a color, as WCAG 2.2 defines it. */
const luminance = (color: string): number => {
  const digits = color.length === 4 ? color.replaceAll(/[0-9a-f]/g, '$&$&') : color
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

test('all text on the page has enough contrast, in light and dark mode', () => {
  const schemes = [...style.matchAll(/:root\{([^}]*)\}/g)].map(([, declarations = '']) =>
    Object.fromEntries(
      [...declarations.matchAll(/--([\w-]+):(#[0-9a-f]+)/g)].map(([, name, value]) => [name, value]),
    ),
  )
  expect(schemes).toHaveLength(2)
  for (const { ground = '', text = '', quiet = '', line, kit = '', ...verdicts } of schemes) {
    expect(Object.keys(verdicts)).toHaveLength(6)
    for (const behind of [ground, ...Object.values(verdicts)])
      expect(contrast(text, behind)).toBeGreaterThan(4.5)
    expect(contrast(quiet, ground)).toBeGreaterThan(4.5)
    expect(contrast('#fff', kit)).toBeGreaterThan(4.5)
    expect(line).toBeDefined()
  }
  // Opacity would lower the contrast, which this test calculates from the colors alone.
  expect(style).not.toContain('opacity')
})
