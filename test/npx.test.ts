import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './story/copy.ts'

// If a command isn't installed, `npx` downloads a package with the same name, which may be unrelated.

const textOf = (path: string): string => readFileSync(join(repository, path), 'utf8')

/** The files with this name in the direct subfolders of a folder. */
const filesIn = (parent: string, name: string): string[] =>
  readdirSync(join(repository, parent))
    .map((folder) => `${parent}/${folder}/${name}`)
    .filter((path) => existsSync(join(repository, path)))

const packages = filesIn('packages', 'package.json').map(
  (path): { name: string; bin?: Record<string, string> } => JSON.parse(textOf(path)),
)
const commands = packages.flatMap(({ name, bin = {} }) =>
  Object.keys(bin).map((command) => ({ command, name })),
)
const guides = 'packages/docs/guides'
const pages = [
  'README.md',
  ...filesIn('packages', 'README.md'),
  ...filesIn('examples', 'README.md'),
  ...readdirSync(join(repository, guides)).map((name) => `${guides}/${name}`),
]

test('a page with npx first describes how to install the command', () => {
  const asked = pages.flatMap((page) =>
    commands.flatMap(({ command, name }) => {
      const at = textOf(page).search(new RegExp(`npx ${command}\\b`))
      return at < 0 ? [] : [{ page, command, told: textOf(page).slice(0, at).includes(name) }]
    }),
  )
  expect(asked.length).toBeGreaterThan(4)
  expect(asked.filter(({ told }) => !told)).toEqual([])
})

test('npx --package names our package and one of its commands', () => {
  const fetched = pages.flatMap((page) => [...textOf(page).matchAll(/npx -p (\S+) ([\w-]+)/g)])
  expect(fetched.length).toBeGreaterThan(2)
  for (const [line, name, command] of fetched)
    expect([line, commands]).toEqual([line, expect.arrayContaining([{ name, command }])])
})

test("an example's target file finds its schema in a copy of the folder", () => {
  for (const path of filesIn('examples', 'contract.target.json')) {
    const { $schema }: { $schema: string } = JSON.parse(textOf(path))
    const [, name = '', file = ''] = /^\.\/node_modules\/(@svc-admin\/\w+)\/(.+)$/.exec($schema) ?? []
    const { dependencies = {}, devDependencies = {} } = JSON.parse(textOf(join(path, '../package.json')))
    expect([path, name in { ...dependencies, ...devDependencies }]).toEqual([path, true])
    const here = join(repository, 'packages', name.replace('@svc-admin/', ''), file)
    expect([path, existsSync(here)]).toEqual([path, true])
  }
})
