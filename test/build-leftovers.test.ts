import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { repository } from './story/copy.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-admin-leftovers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const put = (path: string, content: unknown): void =>
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))

const run = (task: string, ...flags: string[]): string => {
  const args = [join(repository, 'scripts/turbo.mjs'), task, '--no-update-notifier', ...flags]
  const env = { ...process.env, TURBO_CACHE_DIR: join(folder, '.turbo/cache') }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env })
  expect(status, stdout + stderr).toBe(0)
  return stdout
}

const build = (...flags: string[]): string => run('build', ...flags)

const dist = (name: string): string => join(folder, 'one/dist', name)

/** Creates a workspace that contains one package with these scripts. Turbo caches the package's `dist` folder. */
const lay = (scripts: Readonly<Record<string, string>>): void => {
  mkdirSync(join(folder, 'one/src'), { recursive: true })
  const { packageManager } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  put('package.json', { name: 'all', private: true, packageManager, workspaces: ['one'] })
  put('package-lock.json', { name: 'all', lockfileVersion: 3, packages: {} })
  put('.gitignore', 'node_modules\ndist\n.turbo\n')
  put('turbo.json', { tasks: { build: { outputs: ['dist/**'] }, told: { cache: false } } })
  put('one/package.json', { name: 'one', version: '1.0.0', scripts })
  spawnSync('git', ['init', '--quiet'], { cwd: folder })
}

test('restoring from the cache removes the output of deleted sources', () => {
  const copy =
    "fs.rmSync('dist', { recursive: true, force: true }); fs.cpSync('src', 'dist', { recursive: true })"
  lay({ build: `node -e "${copy}"` })
  put('one/src/stays.js', '1')
  build()
  put('one/src/goes.js', '2')
  build()
  expect(existsSync(dist('goes.js'))).toBe(true)
  rmSync(join(folder, 'one/src/goes.js'))
  expect(build()).toContain('cache hit')
  expect([existsSync(dist('stays.js')), existsSync(dist('goes.js'))]).toEqual([true, false])

  // If nothing has changed, `dist` isn't replaced, because running programs may be using it.
  put('one/dist/mark', '')
  build()
  expect(existsSync(dist('mark'))).toBe(true)

  // Flags that only print information don't cause anything to be removed, even if the cached output is different.
  put('one/src/comes.js', '3')
  build()
  rmSync(join(folder, 'one/src/comes.js'))
  put('one/dist/mark', '')
  expect(build('--help')).toContain('Usage: turbo')
  expect(build('--graph')).toContain('digraph')
  for (const flag of ['--dry', '--dry-run']) expect(build(flag)).toContain('Tasks to Run')
  expect([existsSync(dist('mark')), existsSync(dist('comes.js'))]).toEqual([true, true])
  build()
  expect([existsSync(dist('mark')), existsSync(dist('comes.js'))]).toEqual([false, false])
}, 60_000)

test('passes arguments after -- to the task once, even if they are turbo flags', () => {
  lay({ told: `node -e "fs.appendFileSync('told', process.argv.slice(1) + ';')" --` })
  run('told', '--', '--help')
  run('told', '--', '--dry-run', '--dry=json')
  expect(readFileSync(join(folder, 'one/told'), 'utf8')).toBe('--help;--dry-run,--dry=json;')
}, 60_000)

test('asks to install the dependencies in a fresh clone', () => {
  const clone = mkdtempSync(join(tmpdir(), 'svc-admin-bare-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  const script = join(clone, 'turbo.mjs')
  copyFileSync(join(repository, 'scripts/turbo.mjs'), script)
  const { status, stderr } = spawnSync(process.execPath, [script, 'build'], { cwd: clone, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, 'The dependencies are not installed: run `npm install` first.\n'])
})
