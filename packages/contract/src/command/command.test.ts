import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen } from '../../test/console.ts'
import { Misconfiguration } from '../engine/signals.ts'
import { makeReport } from '../report/report.ts'
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
      if (response === undefined) throw new Misconfiguration(`nobody answers: ${question}`)
      heard.console.write(`${question} [${suggestion}]: ${response}\n`)
      return response === '' ? suggestion : response
    },
  })
  const code = await runCommandLine(argv, heard.console)
  return { code, said: heard.said(), words: heard.words() }
}

const here = ['--base-url', 'http://127.0.0.1:1']

test('who types nothing is shown the help, as who asks for it is', async () => {
  const asked = await call(['--help'])
  expect(asked).toMatchObject({ code: 0, said: expect.stringMatching(/^contract \d+\.\d+\.\d+, /) })
  expect(await call(['help'])).toEqual(asked)
  expect(await call(['doctor', '-h'])).toEqual(asked)
  const warned: string[] = []
  const refuse = () => expect.fail('it is nothing that was asked for')
  const console = { warn: (text: string) => warned.push(text), progress: { write: refuse }, ask: refuse }
  expect(await runCommandLine([], { ...console, write: refuse, columns: 80, colour: false })).toBe(2)
  expect(warned.join('')).toBe(asked.said)
})

test('the help has every option and every command', async () => {
  const { said } = await call(['help'])
  const missing = Object.keys(options).filter((name) => name !== 'help' && !said.includes(`--${name}`))
  expect(missing).toEqual([])
  expect(Object.keys(commands).filter((name) => !said.includes(`\n  ${name} `))).toEqual([])
})

test('the version of the kit is that of its package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(await call(['version'])).toMatchObject({ code: 0, said: `${version}\n` })
})

test.each([
  [
    ['walk'],
    'there is no command walk: there are run, doctor, init, cleanup, merge, compare, version and help; see',
  ],
  [['rum'], 'there is no command rum: did you mean run? see contract --help'],
  [['-q'], 'say what to do: run, doctor, init,'],
  [
    ['run', '--jornal', 'x'],
    'there is no option --jornal: did you mean --journal? contract --help lists the options',
  ],
  [['run', '--nothing-like-it'], 'there is no option --nothing-like-it: contract --help lists the options'],
  [['--version'], '--version needs a value: --version <version> (v1.0, 2023-01-01,'],
  [['--version'], 'the version of the kit is told by contract version'],
  [['run', '--base-url', '--strict'], '--base-url needs a value: --base-url <address>'],
  [['run', '-j'], '-j needs a value: --parallel <n>'],
  [['run', '--smoke=yes'], '--smoke takes no value'],
  [
    ['run', 'http://127.0.0.1:1'],
    'run takes options alone, and not http://127.0.0.1:1; an address goes to --base-url',
  ],
  [['compare', '--area', 'x'], 'compare takes no --area, which is for run, doctor and cleanup'],
  [['run'], 'say where the target is with --base-url'],
  [['run', ...here, '--shard', '5/4'], '--shard takes a part such as 1/4, and not 5/4'],
  [
    ['run', ...here, '--timeout', '0.5'],
    '--timeout takes a whole number from 1 to 9007199254740991, and not 0.5',
  ],
  [['run', ...here, '--seed', '99999999999999999999'], 'and not 99999999999999999999'],
  [['run', ...here, '--requirement', ''], '--requirement needs a value: --requirement <id>'],
  [['run', ...here, '--json='], '--json needs a value'],
  [['run', ...here, '--keep'], 'what a run keeps has to be written down for contract cleanup'],
  [['run', ...here, '--own-world'], '--own-world needs a sandbox: name its control interface with --control'],
  [
    ['run', ...here, '--control', 'http://127.0.0.1:1', '--own-world', '--journal', 'none'],
    '--own-world goes with the run, and --journal is for what stays after it',
  ],
  [
    ['run', '--base-url', 'http://user:s3cret@127.0.0.1:1'],
    'http://127.0.0.1:8080, and not at one with a user name or password, which belong in the target file',
  ],
  [['run', '--base-url', 'http://127.0.0.1:1/?a=b'], 'and not at one with a query'],
  [['run', ...here, '--control', 'http://127.0.0.1:1/#a'], 'and not at one with a fragment'],
  [['run', ...here, '-j', 'x'], '--parallel takes a whole number from 1 to 9007199254740991, and not x'],
  [['run', '--base-url', '127.0.0.1:1'], 'an address such as http://127.0.0.1:8080, and not at 127.0.0.1:1'],
  [
    ['run', '--base-url', 'ftp://127.0.0.1'],
    'an address such as http://127.0.0.1:8080, and not at ftp://127.0.0.1',
  ],
  [
    ['run', ...here, '--area', 'Alert'],
    'there is no area Alert: did you mean Alerts or Alert Configurations?',
  ],
  [['run', ...here, '--area', 'x'], 'there is no area x: there are Access Tracking, Alert Configurations,'],
  [
    ['run', ...here, '--operation', 'getAlerts'],
    'there is no operation getAlerts: did you mean getAlert or listAlerts?',
  ],
  [['run', ...here, '--version', '2024-08-06'], 'there is no version 2024-08-06: did you mean 2024-08-05?'],
  [['run', ...here, '--requirement', 'auth.digst-accepted'], 'did you mean auth.digest-accepted?'],
  [
    ['run', ...here, '--requirement', 'xyzzy'],
    'there is no requirement xyzzy: a requirement is called as in a report',
  ],
  [
    ['run', ...here, '--requirement', 'errors.media-type'],
    'it is judged in the exchanges of all other checks',
  ],
  [
    ['run', ...here, '--area', 'Custom DNS', '--operation', 'getAlert'],
    'no check is left of area Custom DNS, operation getAlert: they have nothing in common',
  ],
  [['run', '--target', 'none.json'], 'none.json cannot be read: there is no such file'],
  [['cleanup', ...here], 'name the journal of the run with --journal'],
  [['cleanup', ...here, '--journal', 'none'], 'none cannot be read: there is no such file'],
  [['run', ...here, '--resume'], 'name the journal of the run that is to be resumed with --journal'],
  [['merge', 'one.json'], 'merge takes the JSON reports of all shards of a run: at least two files'],
  [['merge', 'one.json', 'two.json'], 'one.json cannot be read: there is no such file'],
  [['compare', 'one.json'], 'compare takes two JSON reports, the earlier one first, and not 1 file'],
])('%j ends with 2 and says: %s', async (argv, expected) => {
  const { code, said, words } = await call(argv)
  expect(words).toContain(expected)
  expect(code).toBe(2)
  expect(words).not.toContain('s3cret')
  expect(said.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('what cannot be written is found out before anything is sent', async () => {
  const gone = join(folder, 'gone', 'file')
  for (const option of ['--json', '--junit', '--html', '--sarif', '--markdown', '--badge']) {
    const { code, words } = await call(['run', ...here, option, gone])
    expect([code, words]).toEqual([2, expect.stringContaining(`${option} ${gone} cannot be written`)])
    expect((await call(['run', ...here, option, folder])).words).toContain('it is a folder')
  }
  expect((await call(['run', ...here, '--journal', gone])).words).toContain('there is no folder')
  const file = join(folder, 'x')
  expect((await call(['run', ...here, '--json', file, '--html', file])).words).toContain(
    '--json and --html are both',
  )
})

test('a file that is no journal is not taken for one that tells of nothing', async () => {
  const file = join(folder, 'journal')
  writeFileSync(file, '{"format":"svc-admin-contract-report/1"}\n')
  for (const command of [['cleanup'], ['run'], ['run', '--resume']]) {
    const { code, words } = await call([...command, ...here, '--journal', file])
    expect([code, words]).toEqual([2, expect.stringContaining(`${file}:1 is no line of a journal`)])
  }
})

test.each([
  ['{}', 'must be an array of waivers'],
  ['[7]', '/0 must be an object'],
  [
    '[{"requirement":"auth.digest-accepted","operation":"getAlert","expires":"2027-01-01"}]',
    '/0 must have reason',
  ],
  ['[{"expirse":""}]', '/0 there is no member expirse: did you mean expires?'],
  [
    '[{"requirement":"auth.digst-accepted","operation":"getAlert","reason":"x","expires":"2027-01-01"}]',
    '/0 is about nothing: there is no requirement auth.digst-accepted: did you mean auth.digest-accepted?',
  ],
  [
    '[{"requirement":"auth.digest-accepted","operation":"getAlrt","reason":"x","expires":"2027-01-01"}]',
    'there is no operation getAlrt: did you mean getAlert?',
  ],
  [
    '[{"requirement":"auth.digest-accepted","operation":"getAlert","version":"v2","reason":"x","expires":"2027-01-01"}]',
    'there is no version v2',
  ],
  [
    '[{"requirement":"auth.digest-accepted","operation":"getAlert","reason":"x","expires":"2027-02-29"}]',
    'a day such as 2027-01-31 in expires, and not 2027-02-29',
  ],
])('waivers such as %s are refused before the run: %s', async (text, expected) => {
  const file = join(folder, 'waivers.json')
  writeFileSync(file, text)
  const { code, words } = await call(['run', ...here, '--waivers', file])
  expect(words).toContain(expected)
  expect(code).toBe(2)
})

test('refuses a machine that is not this one without leave', async () => {
  const { code, said } = await call(['run', '--base-url', 'https://api.example.com'])
  expect(code).toBe(2)
  expect(said).toContain('--yes-this-target')
})

test('says with exit code 3 that nothing answers', async () => {
  const { code, said } = await call(['run', ...here, '--operation', 'getCustomDns', '-q'])
  expect(code).toBe(3)
  expect(said).toContain('nothing answers at http://127.0.0.1:1 (ECONNREFUSED)')
})

const [project, organization] = ['64b7e1c20f3a5d6e7f809101', '64b7e0a10f3a5d6e7f809001']

test('writes a target file by asking, with secrets left to the environment', async () => {
  const file = join(folder, 'target.json')
  const responses = ['http://127.0.0.1:9', project, organization, '', 'key', '', 'main', 'M30', '']
  const { code, said } = await call(['init', '--target', file], responses)
  expect({ code, said }).toMatchObject({
    code: 0,
    said: expect.stringContaining('Set SVC_PRIVATE_KEY, then:'),
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
    words: expect.stringContaining(`${file} exists already: name another one with --target`),
  })
  expect(readFileSync(file, 'utf8')).toBe(written)
})

test('an answer that no run could use is asked for again at once, and says why', async () => {
  const file = join(folder, 'target.json')
  const wrong = {
    'localhost:80': 'it is at an address such as http://127.0.0.1:8080, and not at localhost:80',
    'my-project': 'an identifier has 24 hexadecimal digits',
    OWNER: 'there is no role OWNER: did you mean',
    control: 'it is at an address',
  }
  const responses = [
    ...['localhost:80', 'http://127.0.0.1:9', 'my-project', '', project, ''],
    ...['OWNER', 'ORGANIZATION_OWNER', '', '', 'svc_sa_1', '', 'control', ''],
  ]
  const { code, said, words } = await call(['init', '--target', file], responses)
  expect(code).toBe(0)
  for (const [response, fault] of Object.entries(wrong)) expect(words).toContain(`${response} ${fault}`)
  expect(words).toContain('without an API key, a service account is needed')
  expect(said.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    baseUrl: 'http://127.0.0.1:9',
    things: { groupId: project },
    roles: {
      ORGANIZATION_OWNER: { serviceAccount: { clientId: 'svc_sa_1', clientSecret: '$SVC_CLIENT_SECRET' } },
    },
  })
})

test('whoever stops answering leaves no file behind, and hears at once of one that cannot be written', async () => {
  const file = join(folder, 'target.json')
  for (const responses of [
    [],
    ['http://127.0.0.1:9'],
    ['http://127.0.0.1:9', project, '', '', 'key', '', ''],
  ])
    expect((await call(['init', '--target', file], responses)).code).toBe(2)
  expect(existsSync(file)).toBe(false)
  const { code, words } = await call(
    ['init', '--target', join(folder, 'gone', 'file')],
    ['http://127.0.0.1:9'],
  )
  expect({ code, words }).toMatchObject({ code: 2, words: expect.stringContaining('there is no folder') })
  expect(words).not.toContain('Address of the service')
})

test('what is said keeps to 80 columns', async () => {
  const target = ['--base-url', 'http://127.0.0.1:9']
  const said = [(await call(['--help'])).said, (await call(['doctor', ...target])).said].join('')
  expect(said.split('\n').filter((line) => line.length > 80)).toEqual([])
})

const reportFile = (name: string, verdict: 'PASS' | 'FAIL', changes: object = {}): string => {
  const file = join(folder, name)
  const result = {
    id: 'errors.validation@getAlert@v1.0',
    requirement: 'errors.validation',
    operation: 'getAlert',
    version: 'v1.0',
    variant: '',
    verdict,
    strength: 'stated',
    exchanges: 2,
  } as const
  const report = makeReport({
    ...{ kit: '0', target: 'http://x', runTag: 't', seed: 1, strict: false, startedAt: '2026-11-21' },
    ...{ seconds: 1, coverage: [], results: [result], waiverProblems: [], left: [], ...changes },
  })
  writeFileSync(file, JSON.stringify(report))
  return file
}

const shard = (index: number, of: number, more: object = {}) => ({
  selection: { ...more, shard: { index, of } },
})

test('merges the reports of shards, the graver verdict first', async () => {
  const [one, other] = [reportFile('1.json', 'PASS', shard(1, 2)), reportFile('2.json', 'FAIL', shard(2, 2))]
  const merged = join(folder, 'm.json')
  expect((await call(['merge', one, other, '--json', merged])).code).toBe(1)
  const { results, selection } = JSON.parse(readFileSync(merged, 'utf8'))
  expect(results).toMatchObject([{ verdict: 'FAIL', exchanges: 4 }])
  expect(selection).toEqual({})
})

test.each([
  [
    { ...shard(2, 2), target: 'http://y' },
    'the target is "http://x" in the one, and "http://y" in the other',
  ],
  [{ ...shard(2, 2), seed: 2 }, 'the seed is 1 in the one, and 2 in the other'],
  [{ ...shard(2, 2), strict: true }, 'the strict is false in the one, and true in the other'],
  [{ ...shard(2, 2), kit: '1' }, 'the kit is "0" in the one'],
  [shard(2, 2, { smoke: true }), 'the selection is {} in the one, and {"smoke":true} in the other'],
  [shard(2, 3), 'the number of shards is 2 in the one, and 3 in the other'],
  [shard(1, 2), 'are both shard 1/2'],
  [{}, 'the number of shards is 2 in the one, and 1 in the other'],
])('reports that are not parts of one run are not merged: %j', async (changes, expected) => {
  const files = [reportFile('1.json', 'PASS', shard(1, 2)), reportFile('2.json', 'PASS', changes)]
  const { code, words } = await call(['merge', ...files])
  expect(words).toContain(expected)
  expect(code).toBe(2)
})

test('a run whose shards are not all there is not merged', async () => {
  const files = [1, 3].map((index) => reportFile(`${index}.json`, 'PASS', shard(index, 4)))
  expect(await call(['merge', ...files])).toMatchObject({
    code: 2,
    words: expect.stringContaining('the report of shard 2/4 and 4/4 is missing'),
  })
  const whole = [reportFile('a.json', 'PASS'), reportFile('b.json', 'PASS')]
  expect((await call(['merge', ...whole])).words).toContain('are both whole runs')
})

test('a waiver is stale when no shard needs it, which only all together can say', async () => {
  const waivers = join(folder, 'waivers.json')
  const about = { requirement: 'errors.validation', operation: 'getAlert', reason: 'later' }
  writeFileSync(waivers, JSON.stringify([{ ...about, expires: '2099-12-31' }]))
  const one = reportFile('1.json', 'PASS', shard(1, 2))
  const merged = (verdict: 'PASS' | 'FAIL') =>
    call(['merge', one, reportFile('2.json', verdict, shard(2, 2)), '--waivers', waivers])
  expect(await merged('FAIL')).toMatchObject({ code: 0, said: expect.stringContaining('1 waived') })
  expect(await merged('PASS')).toMatchObject({ code: 1, said: expect.stringContaining('is stale') })
})

test('compares two runs, and fails when something broke', async () => {
  const [good, bad] = [reportFile('1.json', 'PASS'), reportFile('2.json', 'FAIL')]
  expect(await call(['compare', good, bad])).toMatchObject({
    code: 1,
    said: expect.stringContaining('1 broke'),
  })
  expect(await call(['compare', bad, good])).toMatchObject({
    code: 0,
    said: expect.stringContaining('1 mended'),
  })
  writeFileSync(good, '{"format":"x"}')
  const { code, words } = await call(['compare', good, bad])
  expect(code).toBe(2)
  expect(words).toContain('is no report of this kit: its format is x, and not svc-admin-contract-report/1')
  writeFileSync(good, '{}')
  expect((await call(['compare', good, bad])).words).toContain(
    'is no report of contract run --json: the file lacks format; the file lacks kit;',
  )
})

test('a run that was broken off is compared with none: what it did not come to may be broken', async () => {
  const whole = reportFile('1.json', 'PASS')
  const broken = reportFile('2.json', 'PASS', { interrupted: 'broken off after 6 of 74 checks' })
  for (const files of [
    [whole, broken],
    [broken, whole],
  ])
    expect(await call(['compare', ...files])).toMatchObject({
      code: 2,
      words: expect.stringContaining(`${broken} is of a run that was broken off after 6 of 74 checks`),
    })
})
