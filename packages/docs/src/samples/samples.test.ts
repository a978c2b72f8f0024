import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { model } from '../testing/inputs.ts'
import { sampleCall } from './call.ts'
import { shellWord } from './curl.ts'
import { pythonLiteral } from './python.ts'
import { samplesOf } from './samples.ts'
import { literal } from './typescript.ts'

const all = model.versions.flatMap((version) =>
  version.operations.flatMap((operation) =>
    samplesOf(sampleCall(version, operation)).map((sample) => ({
      ...sample,
      name: `${version.id} ${operation.id} ${sample.label}`,
    })),
  ),
)
const written = (language: string) => all.filter((sample) => sample.language === language)
/** Returns whether a tool is installed. `gofmt` has no version flag, but it does nothing if there is no input. */
const has = (tool: string): boolean =>
  spawnSync(tool, tool === 'gofmt' ? [] : ['--version'], { input: '' }).error === undefined

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'samples-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('quotes a shell word', () => {
  const nasty = `it's "$HOME" \`id\` \\ * ; &`
  expect(spawnSync('sh', ['-c', `printf %s ${shellWord(nasty)}`]).stdout.toString()).toBe(nasty)
})

test('literals have the original value', () => {
  const value = { 'a-b': [1, "it's", 'x"\n\\', null, true, {}], c: { d: [] } }
  expect(Function(`return ${literal(value)}`)()).toEqual(value)
  if (has('python3')) {
    const { stdout } = spawnSync('python3', ['-c', `import json; print(json.dumps(${pythonLiteral(value)}))`])
    expect(JSON.parse(stdout.toString())).toEqual(value)
  }
})

test('creates shell samples that the shell parses', () => {
  const script = written('shell')
    .map(({ text }, index) => `f${index}() {\n${text}\n}`)
    .join('\n')
  expect(spawnSync('sh', ['-n'], { input: script }).stderr.toString()).toBe('')
})

test('formats a body over several lines', () => {
  const longest = (text: string) => Math.max(...text.split('\n').map(({ length }) => length))
  const wide = all.filter(({ text }) => /^ *[{[].*[}\]]'?$/m.test(text) || longest(text) > 160)
  expect(wide.map(({ name, text }) => `${name}: ${longest(text)}`)).toEqual([])
})

test('creates TypeScript samples that parse', () => {
  const faults = written('typescript').flatMap(({ name, text }) => {
    const { diagnostics } = ts.transpileModule(text, {
      reportDiagnostics: true,
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    })
    return (diagnostics ?? []).map(({ messageText }) => `${name}: ${JSON.stringify(messageText)}`)
  })
  expect(faults).toEqual([])
})

test('creates Python samples that compile', ({ skip }) => {
  skip(!has('python3'), 'there is no python3 on this machine')
  writeFileSync(join(folder, 'samples.json'), JSON.stringify(written('python')))
  const program =
    'import json,sys\nfor s in json.load(open(sys.argv[1])): compile(s["text"], s["name"], "exec")'
  expect(spawnSync('python3', ['-c', program, join(folder, 'samples.json')]).stderr.toString()).toBe('')
})

test('creates Go samples in the format of gofmt', ({ skip }) => {
  skip(!has('gofmt'), 'there is no gofmt on this machine')
  const samples = written('go').filter(({ name }) => name.startsWith(model.newest.id))
  const files = samples.map(({ text }, index) => {
    const file = join(folder, `${index}.go`)
    writeFileSync(file, `${text}\n`)
    return file
  })
  const { stdout, stderr } = spawnSync('gofmt', ['-l', ...files])
  expect(stderr?.toString() ?? '').toBe('')
  expect(stdout?.toString() ?? '').toBe('')
})
