import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen } from '../../test/console.ts'
import { reportOf, result } from '../../test/reports.ts'
import { Misconfiguration } from '../model/signals.ts'
import { jsonReport } from '../report/json.ts'
import type { Report } from '../report/report.ts'
import { parseTarget } from '../target/file.ts'
import { runCommandLine } from './command.ts'
import { commands, options } from './options.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contract-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const call = async (argv: string[], responses: string[] = []) => {
  const heard = listen({
    ask: async (question, suggestion = '') => {
      const response = responses.shift()
      if (response === undefined) throw new Misconfiguration(`no reply to: ${question}`)
      heard.console.write(`${question} [${suggestion}]: ${response}\n`)
      return response === '' ? suggestion : response
    },
  })
  const code = await runCommandLine(argv, heard.console)
  return { code, said: heard.output(), words: heard.unwrapped() }
}

const here = ['--base-url', 'http://127.0.0.1:1']

test('shows the help without a command, and on request', async () => {
  const asked = await call(['--help'])
  expect(asked).toMatchObject({ code: 0, said: expect.stringMatching(/^contract \d+\.\d+\.\d+, /) })
  expect(await call(['help'])).toEqual(asked)
  expect(await call(['doctor', '-h'])).toEqual(asked)
  const warned: string[] = []
  const refuse = () => expect.fail('unexpected call')
  const console = { warn: (text: string) => warned.push(text), progress: { write: refuse }, ask: refuse }
  expect(await runCommandLine([], { ...console, write: refuse, columns: 80, color: false })).toBe(2)
  expect(warned.join('')).toBe(asked.said)
})

test('the help has every option and every command', async () => {
  const { said: output } = await call(['help'])
  const missing = Object.keys(options).filter((name) => name !== 'help' && !output.includes(`--${name}`))
  expect(missing).toEqual([])
  expect(Object.keys(commands).filter((name) => !output.includes(`\n  ${name} `))).toEqual([])
})

test('prints the version of its package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(await call(['version'])).toMatchObject({ code: 0, said: `${version}\n` })
})

test.each([
  [
    ['walk'],
    'unknown command walk: the commands are run, doctor, init, cleanup, merge, compare, version and help; see',
  ],
  [['rum'], 'unknown command rum: did you mean run? see contract --help'],
  [['-q'], 'missing command: expected run, doctor, init,'],
  [
    ['run', '--jornal', 'x'],
    'unknown option --jornal: did you mean --journal? run contract --help for the options',
  ],
  [['run', '--nothing-like-it'], 'unknown option --nothing-like-it: run contract --help for the options'],
  [['--version'], '--version needs a value: --version <version> (Test the operations'],
  [['--version'], 'For the version of the kit, run contract version'],
  [['run', '--base-url', '--strict'], '--base-url needs a value: --base-url <address>'],
  [['run', '-j'], '-j needs a value: --parallel <n>'],
  [['run', '--smoke=yes'], "--smoke doesn't accept a value"],
  [
    ['run', 'http://127.0.0.1:1'],
    'run accepts only options, but got http://127.0.0.1:1; pass an address with --base-url',
  ],
  [['compare', '--area', 'x'], "compare doesn't accept --area, which belongs to run, doctor and cleanup"],
  [['run'], 'no target: pass its address with --base-url'],
  [['run', ...here, '--shard', '5/4'], '--shard must be a part such as 1/4, but was 5/4'],
  [
    ['run', ...here, '--timeout', '0.5'],
    '--timeout must be a whole number from 1 to 9007199254740991, but was 0.5',
  ],
  [['run', ...here, '--seed', '99999999999999999999'], 'but was 99999999999999999999'],
  [['run', ...here, '--requirement', ''], '--requirement needs a value: --requirement <id>'],
  [['run', ...here, '--json='], '--json needs a value'],
  [
    ['run', ...here, '--keep'],
    '--keep needs a journal, so that contract cleanup can remove the resources later',
  ],
  [
    ['run', ...here, '--own-world'],
    '--own-world needs a sandbox: pass the address of its control interface with --control',
  ],
  [
    ['run', ...here, '--control', 'http://127.0.0.1:1', '--own-world', '--journal', 'none'],
    "--own-world can't be combined with --journal: its world is deleted after the run",
  ],
  [
    ['run', '--base-url', 'http://user:s3cret@127.0.0.1:1'],
    'http://127.0.0.1:8080, without a user name or password; put these in the target file',
  ],
  [['run', '--base-url', 'http://127.0.0.1:1/?a=b'], 'without a query'],
  [['run', ...here, '--control', 'http://127.0.0.1:1/#a'], 'without a fragment'],
  [['run', ...here, '-j', 'x'], '--parallel must be a whole number from 1 to 9007199254740991, but was x'],
  [['run', '--base-url', '127.0.0.1:1'], 'an address such as http://127.0.0.1:8080, but was 127.0.0.1:1'],
  [
    ['run', '--base-url', 'ftp://127.0.0.1'],
    'an address such as http://127.0.0.1:8080, but was ftp://127.0.0.1',
  ],
  [['run', ...here, '--area', 'Alert'], 'unknown area Alert: did you mean Alerts or Alert Configurations?'],
  [['run', ...here, '--area', 'x'], 'unknown area x: known names are Access Tracking, Alert Configurations,'],
  [
    ['run', ...here, '--operation', 'getAlerts'],
    'unknown operation getAlerts: did you mean getAlert or listAlerts?',
  ],
  [['run', ...here, '--version', '2024-08-06'], 'unknown version 2024-08-06: did you mean 2024-08-05?'],
  [['run', ...here, '--requirement', 'auth.digst-accepted'], 'did you mean auth.digest-accepted?'],
  [
    ['run', ...here, '--requirement', 'xyzzy'],
    'unknown requirement xyzzy: use an ID such as auth.digest-accepted',
  ],
  [
    ['run', ...here, '--requirement', 'errors.media-type'],
    'run other checks, which test it with their requests',
  ],
  [
    ['run', ...here, '--area', 'Custom DNS', '--operation', 'getAlert'],
    'no check matches area Custom DNS, operation getAlert: no check matches all of these filters',
  ],
  [['run', '--target', 'none.json'], "can't read none.json: the file does not exist"],
  [['cleanup', ...here], "cleanup needs the run's journal: pass it with --journal"],
  [['cleanup', ...here, '--journal', 'none'], "can't read none: the file does not exist"],
  [['run', ...here, '--resume'], "--resume needs the run's journal: pass it with --journal"],
  [['merge', 'one.json'], 'merge needs the JSON reports of all shards of a run: at least two files'],
  [['merge', 'one.json', 'two.json'], "can't read one.json: the file does not exist"],
  [['compare', 'one.json'], 'compare needs two JSON reports, the earlier one first, but got 1 file'],
])('%j exits with 2 and prints: %s', async (argv, expected) => {
  const { code, said: output, words: unwrapped } = await call(argv)
  expect(unwrapped).toContain(expected)
  expect(code).toBe(2)
  expect(unwrapped).not.toContain('s3cret')
  expect(output.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('checks that reports can be written before it sends anything', async () => {
  const gone = join(folder, 'gone', 'file')
  for (const option of ['--json', '--junit', '--html', '--sarif', '--markdown', '--badge']) {
    const { code, words: unwrapped } = await call(['run', ...here, option, gone])
    expect([code, unwrapped]).toEqual([2, expect.stringContaining(`can't write ${option} ${gone}`)])
    expect((await call(['run', ...here, option, folder])).words).toContain('it is a folder')
  }
  expect((await call(['run', ...here, '--journal', gone])).words).toContain('the folder')
  const file = join(folder, 'x')
  expect((await call(['run', ...here, '--json', file, '--html', file])).words).toContain(
    '--json and --html both',
  )
})

test('rejects a file that is not a journal', async () => {
  const file = join(folder, 'journal')
  writeFileSync(file, '{"format":"svc-admin-contract-report/3"}\n')
  for (const command of [['cleanup'], ['run'], ['run', '--resume']]) {
    const { code, words: unwrapped } = await call([...command, ...here, '--journal', file])
    expect([code, unwrapped]).toEqual([2, expect.stringContaining(`${file}:1 isn't a line of a journal`)])
  }
})

test.each([
  ['{}', 'must be an array of waivers'],
  ['[7]', '/0 must be an object'],
  [
    '[{"requirement":"auth.digest-accepted","operation":"getAlert","expires":"2027-01-01"}]',
    '/0 must have the string field reason',
  ],
  ['[{"expirse":""}]', '/0 unknown field expirse: did you mean expires?'],
  [
    '[{"requirement":"auth.digst-accepted","operation":"getAlert","reason":"x","expires":"2027-01-01"}]',
    '/0 matches nothing: unknown requirement auth.digst-accepted: did you mean auth.digest-accepted?',
  ],
  [
    '[{"requirement":"auth.digest-accepted","operation":"getAlrt","reason":"x","expires":"2027-01-01"}]',
    'unknown operation getAlrt: did you mean getAlert?',
  ],
  [
    '[{"requirement":"auth.digest-accepted","operation":"getAlert","version":"v2","reason":"x","expires":"2027-01-01"}]',
    'unknown version v2',
  ],
  [
    '[{"requirement":"auth.digest-accepted","operation":"getAlert","reason":"x","expires":"2027-02-29"}]',
    'a date such as 2027-01-31 in expires, but has 2027-02-29',
  ],
])('rejects the waivers %s before the run: %s', async (text, expected) => {
  const file = join(folder, 'waivers.json')
  writeFileSync(file, text)
  const { code, words: unwrapped } = await call(['run', ...here, '--waivers', file])
  expect(unwrapped).toContain(expected)
  expect(code).toBe(2)
})

test('rejects another machine without permission', async () => {
  const { code, said: output } = await call(['run', '--base-url', 'https://api.example.com'])
  expect(code).toBe(2)
  expect(output).toContain('--yes-this-target')
})

test('exits with 3 if nothing responds', async () => {
  const { code, said: output } = await call(['run', ...here, '--operation', 'getCustomDns', '-q'])
  expect(code).toBe(3)
  expect(output).toContain('no server responds at http://127.0.0.1:1 (ECONNREFUSED)')
})

const [project, organization] = ['64b7e1c20f3a5d6e7f809101', '64b7e0a10f3a5d6e7f809001']

test('writes a target file interactively, with secrets left to the environment', async () => {
  const file = join(folder, 'target.json')
  const responses = ['http://127.0.0.1:9', project, organization, '', 'key', '', 'main', 'M30', '']
  const { code, said: output } = await call(['init', '--target', file], responses)
  expect({ code, said: output }).toMatchObject({
    code: 0,
    said: expect.stringContaining('Set SVC_PRIVATE_KEY, then run:'),
  })
  const written = readFileSync(file, 'utf8')
  expect(JSON.parse(written)).toEqual({
    baseUrl: 'http://127.0.0.1:9',
    things: { groupId: project, orgId: organization },
    roles: { PROJECT_OWNER: { apiKey: { publicKey: 'key', privateKey: '$SVC_PRIVATE_KEY' } } },
    clusters: [{ name: 'main', tier: 'M30' }],
  })
  expect(parseTarget(written, file, { SVC_PRIVATE_KEY: 'secret' }).things).toEqual(JSON.parse(written).things)
  expect(await call(['init', '--target', file])).toMatchObject({
    code: 2,
    words: expect.stringContaining(`${file} already exists: choose another file with --target`),
  })
  expect(readFileSync(file, 'utf8')).toBe(written)
})

test('repeats a question after an invalid reply, with the reason', async () => {
  const file = join(folder, 'target.json')
  const wrong = {
    'localhost:80': 'it must be an address such as http://127.0.0.1:8080, but was localhost:80',
    'my-project': 'an identifier must have 24 hexadecimal digits',
    OWNER: 'unknown role OWNER: did you mean',
    control: 'it must be an address',
  }
  const responses = [
    ...['localhost:80', 'http://127.0.0.1:9', 'my-project', '', project, ''],
    ...['OWNER', 'ORGANIZATION_OWNER', '', '', 'svc_sa_1', '', 'control', ''],
  ]
  const { code, said: output, words: unwrapped } = await call(['init', '--target', file], responses)
  expect(code).toBe(0)
  for (const [response, fault] of Object.entries(wrong)) expect(unwrapped).toContain(`${response} ${fault}`)
  expect(unwrapped).toContain('enter a service account, because there is no API key')
  expect(output.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    baseUrl: 'http://127.0.0.1:9',
    things: { groupId: project },
    roles: {
      ORGANIZATION_OWNER: { serviceAccount: { clientId: 'svc_sa_1', clientSecret: '$SVC_CLIENT_SECRET' } },
    },
  })
})

test('leaves no file behind if the replies end, and reports immediately if the file cannot be written', async () => {
  const file = join(folder, 'target.json')
  for (const responses of [
    [],
    ['http://127.0.0.1:9'],
    ['http://127.0.0.1:9', project, '', '', 'key', '', ''],
  ])
    expect((await call(['init', '--target', file], responses)).code).toBe(2)
  expect(existsSync(file)).toBe(false)
  const { code, words: unwrapped } = await call(
    ['init', '--target', join(folder, 'gone', 'file')],
    ['http://127.0.0.1:9'],
  )
  expect({ code, words: unwrapped }).toMatchObject({
    code: 2,
    words: expect.stringContaining('the folder'),
  })
  expect(unwrapped).not.toContain('Address of the service')
})

test('all output fits 80 columns', async () => {
  const target = ['--base-url', 'http://127.0.0.1:9']
  const output = [(await call(['--help'])).said, (await call(['doctor', ...target])).said].join('')
  expect(output.split('\n').filter((line) => line.length > 80)).toEqual([])
})

const reportFile = (name: string, verdict: 'PASS' | 'FAIL', changes: Partial<Report> = {}): string => {
  const file = join(folder, name)
  const report = reportOf([result(verdict, 'errors.validation')], { operations: [], ...changes })
  writeFileSync(file, [...jsonReport(report)].join(''))
  return file
}

const shard = (index: number, of: number, more: object = {}) => ({
  selection: { ...more, shard: { index, of } },
})

test('merges the reports of shards, with the worse verdict of each cell', async () => {
  const [one, other] = [reportFile('1.json', 'PASS', shard(1, 2)), reportFile('2.json', 'FAIL', shard(2, 2))]
  const merged = join(folder, 'm.json')
  expect((await call(['merge', one, other, '--json', merged])).code).toBe(1)
  const { results, selection } = JSON.parse(readFileSync(merged, 'utf8'))
  expect(results).toMatchObject([{ verdict: 'FAIL', exchanges: 1 }])
  expect(selection).toEqual({})
})

test.each([
  [{ ...shard(2, 2), target: 'http://y' }, 'target is "http://127.0.0.1" in the first and'],
  [{ ...shard(2, 2), seed: 2 }, 'seed is 1 in the first'],
  [{ ...shard(2, 2), strict: true }, 'strict is false in'],
  [{ ...shard(2, 2), kit: '1' }, 'kit is "0.1.0" in the first'],
  [shard(2, 2, { smoke: true }), 'selection is {} in'],
  [shard(2, 3), 'is 2 in the first and 3 in the second'],
  [shard(1, 2), 'are both shard 1/2'],
  [{}, 'number of shards is 2'],
])('does not merge reports of different runs: %j', async (changes, expected) => {
  const files = [reportFile('1.json', 'PASS', shard(1, 2)), reportFile('2.json', 'PASS', changes)]
  const { code, words: unwrapped } = await call(['merge', ...files])
  expect(unwrapped).toContain(expected)
  expect(code).toBe(2)
})

test('does not merge an incomplete set of shards', async () => {
  const files = [1, 3].map((index) => reportFile(`${index}.json`, 'PASS', shard(index, 4)))
  expect(await call(['merge', ...files])).toMatchObject({
    code: 2,
    words: expect.stringContaining('the report of shard 2/4 and 4/4 is missing'),
  })
  const whole = [reportFile('a.json', 'PASS'), reportFile('b.json', 'PASS')]
  expect((await call(['merge', ...whole])).words).toContain('are both complete runs')
})

test('only the merged report can say that a waiver is stale', async () => {
  const waivers = join(folder, 'waivers.json')
  const about = { requirement: 'errors.validation', operation: 'getAlert', reason: 'later' }
  writeFileSync(waivers, JSON.stringify([{ ...about, expires: '2099-12-31' }]))
  const one = reportFile('1.json', 'PASS', shard(1, 2))
  const merged = (verdict: 'PASS' | 'FAIL') =>
    call(['merge', one, reportFile('2.json', verdict, shard(2, 2)), '--waivers', waivers])
  expect(await merged('FAIL')).toMatchObject({ code: 0, said: expect.stringContaining('1 violation waived') })
  expect(await merged('PASS')).toMatchObject({ code: 1, said: expect.stringContaining('no longer needed') })
})

test('compares two runs, and fails if something broke', async () => {
  const [good, bad] = [reportFile('1.json', 'PASS'), reportFile('2.json', 'FAIL')]
  expect(await call(['compare', good, bad])).toMatchObject({
    code: 1,
    said: expect.stringContaining('1 broke'),
  })
  expect(await call(['compare', bad, good])).toMatchObject({
    code: 0,
    said: expect.stringContaining('1 fixed'),
  })
  writeFileSync(good, '{"format":"x"}')
  const { code, words: unwrapped } = await call(['compare', good, bad])
  expect(code).toBe(2)
  expect(unwrapped).toContain(
    'is not a report of this kit: its format is x, expected svc-admin-contract-report/3',
  )
  writeFileSync(good, '{}')
  expect((await call(['compare', good, bad])).words).toContain(
    'is not a report written by contract run --json: the file lacks format; the file lacks kit;',
  )
})

test('does not compare an interrupted run', async () => {
  const whole = reportFile('1.json', 'PASS')
  const broken = reportFile('2.json', 'PASS', { interrupted: 'stopped after 6 of 74 checks' })
  for (const files of [
    [whole, broken],
    [broken, whole],
  ])
    expect(await call(['compare', ...files])).toMatchObject({
      code: 2,
      words: expect.stringContaining(`${broken} belongs to a run that was stopped after 6 of 74 checks`),
    })
})
