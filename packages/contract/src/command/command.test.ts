import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeReport } from '../report/report.ts'
import { runCommandLine } from './command.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contract-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const call = async (argv: string[], answers: string[] = []) => {
  const said: string[] = []
  const note = (text: string): void => {
    said.push(text)
  }
  const code = await runCommandLine(argv, {
    write: note,
    warn: note,
    progress: { write: note },
    columns: 80,
    colour: false,
    ask: async (_, suggestion = '') => answers.shift() ?? suggestion,
  })
  return { code, said: said.join('') }
}

test('refuses options and commands that there are not, with exit code 2', async () => {
  expect(await call(['run', '--nope'])).toMatchObject({ code: 2 })
  expect(await call(['walk'])).toMatchObject({ code: 2, said: 'contract: there is no command walk\n' })
  expect(await call(['run'])).toMatchObject({ code: 2, said: expect.stringContaining('--base-url') })
  expect(await call(['run', '--base-url', 'http://127.0.0.1:1', '--shard', '5/4'])).toMatchObject({ code: 2 })
})

test('refuses a machine that is not this one without leave', async () => {
  const { code, said } = await call(['run', '--base-url', 'https://api.example.com'])
  expect(code).toBe(2)
  expect(said).toContain('--yes-this-target')
})

test('says with exit code 3 that nothing answers', async () => {
  const { code, said } = await call(['run', '--base-url', 'http://127.0.0.1:1', '-q'])
  expect(code).toBe(3)
  expect(said).toContain('nothing answers at http://127.0.0.1:1 (ECONNREFUSED)')
})

test('writes a target file by asking, with secrets left to the environment', async () => {
  const file = join(folder, 'target.json')
  const [project, organization] = ['64b7e1c20f3a5d6e7f809101', '64b7e0a10f3a5d6e7f809001']
  const answers = ['http://127.0.0.1:9', project, organization, 'PROJECT_OWNER', 'key', '', 'main', '']
  expect((await call(['init', '--target', file], answers)).code).toBe(0)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    baseUrl: 'http://127.0.0.1:9',
    things: { groupId: project, orgId: organization },
    roles: { PROJECT_OWNER: { apiKey: { publicKey: 'key', privateKey: '$SVC_PRIVATE_KEY' } } },
    clusters: [{ name: 'main', tier: 'M10' }],
  })
  expect((await call(['init', '--target', file])).code).toBe(2)
})

test('a target file is not written from answers that no run could use', async () => {
  const file = join(folder, 'target.json')
  expect(await call(['init', '--target', file], ['http://127.0.0.1:9', ''])).toMatchObject({ code: 2 })
  const { code, said } = await call(['init', '--target', file], ['http://127.0.0.1:9', 'p', '', 'OWNER'])
  expect({ code, said }).toMatchObject({ code: 2, said: expect.stringContaining('OWNER is no role: ') })
  expect(existsSync(file)).toBe(false)
})

test('what is said keeps to 80 columns', async () => {
  const target = ['--base-url', 'http://127.0.0.1:9']
  const said = [(await call(['--help'])).said, (await call(['doctor', ...target])).said].join('')
  expect(said.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('the doctor says what is missing and what it costs', async () => {
  const file = join(folder, 'target.json')
  writeFileSync(file, '{"baseUrl":"http://127.0.0.1:9","things":{"groupId":"64b7e1c20f3a5d6e7f809101"}}')
  const { code, said } = await call(['doctor', '--target', file])
  expect(code).toBe(3)
  expect(said).toContain('nothing answers at http://127.0.0.1:9')
  expect(said).toContain('missing: a way to raise events\n         the life of alerts is not tried')
  expect(
    (await call(['doctor', '--base-url', 'http://127.0.0.1:9', '--control', 'http://127.0.0.1:8'])).said,
  ).toContain('Nothing is missing.')
})

test('the doctor says nothing of what the selection does not need', async () => {
  const file = join(folder, 'target.json')
  const target = {
    baseUrl: 'http://127.0.0.1:9',
    things: { groupId: '64b7e1c20f3a5d6e7f809101' },
    roles: { PROJECT_OWNER: { apiKey: { publicKey: 'key', privateKey: 'secret' } } },
  }
  writeFileSync(file, JSON.stringify(target))
  const missing = async (...selection: string[]) => {
    const { said } = await call(['doctor', '--target', file, ...selection])
    const lacks = said.split('\n').flatMap((line) => /^missing: (.*)/.exec(line)?.[1] ?? [])
    return said.includes('Nothing is missing.') ? 'nothing' : lacks.join(', ')
  }
  expect(await missing('--area', 'Access Tracking')).toMatch(/clusters by tier.*a way to add access logs/)
  const dns = await missing('--area', 'Custom DNS')
  expect(dns).toMatch(/API keys of.*a way to put things in place/)
  expect(dns).not.toMatch(/events|access logs|clusters|notifications/)
  expect(await missing('--area', 'Alerts', '--requirement', 'paging.')).toBe('a way to raise events')
  expect(await missing('--operation', 'getCustomDns', '--requirement', 'envelope.')).toBe('nothing')
  expect(await missing('--operation', 'createMigration', '--requirement', 'envelope.')).toBe(
    'credentials of ORGANIZATION_OWNER',
  )
})

const reportFile = (name: string, verdict: 'PASS' | 'FAIL'): string => {
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
    kit: '0',
    target: 'http://x',
    runTag: 't',
    seed: 1,
    strict: false,
    startedAt: '',
    seconds: 1,
    coverage: [],
    results: [result],
    waiverProblems: [],
    left: [],
  })
  writeFileSync(file, JSON.stringify(report))
  return file
}

test('merges the reports of shards, the graver verdict first', async () => {
  const [one, other, merged] = [
    reportFile('1.json', 'PASS'),
    reportFile('2.json', 'FAIL'),
    join(folder, 'm.json'),
  ]
  expect((await call(['merge', one, other, '--json', merged])).code).toBe(1)
  const { results } = JSON.parse(readFileSync(merged, 'utf8'))
  expect(results).toMatchObject([{ verdict: 'FAIL', exchanges: 4 }])
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
  writeFileSync(good, '{}')
  expect((await call(['compare', good, bad])).code).toBe(2)
})
