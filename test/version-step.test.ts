import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Copy, copyRepository, type Ended, repository } from './story/copy.ts'

// Runs the workflow's version command in a copy of the repository.
let copy: Copy
let ended: Ended
const old: string = JSON.parse(readFileSync(join(repository, 'spec/package.json'), 'utf8')).version
const read = (path: string) => readFileSync(join(copy.root, path), 'utf8')
const git = (...args: string[]) => copy.run('git', args)

beforeAll(async () => {
  copy = copyRepository()
  // Changesets reads the details of a changeset from the commit that added it.
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '--all')
  await git('-c', 'user.name=a', '-c', 'user.email=a@svc.example', 'commit', '--quiet', '-m', 'All')
  const { version: command } = parse(read('.github/workflows/release.yml')).jobs.release.steps.find(
    (step: { uses?: string }) => step.uses?.startsWith('changesets/action'),
  ).with
  const [program, ...args] = command.split(' ')
  ended = await copy.run(program, args)
}, 300_000)
afterAll(() => copy?.remove())

test('replaces the old version in all manifests, images and the lock file', () => {
  expect(ended.code, ended.output).toBe(0)
  const { version } = JSON.parse(read('spec/package.json'))
  expect(version).not.toBe(old)
  const manifests = ['contract-jest', 'contract-node-test', 'contract-vitest', 'implementer'].map(
    (name) => `examples/${name}/package.json`,
  )
  for (const path of [...manifests, 'packages/server/package.json', 'packages/contract/package.json']) {
    const { dependencies, devDependencies } = JSON.parse(read(path))
    const ours = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
      name.startsWith('@svc-admin/'),
    )
    expect([path, ...new Set(ours.map(([, wanted]) => wanted))]).toEqual([path, version])
  }
  expect(read('packages/server/deploy/kubernetes/server.yaml')).toContain(`svc-admin-server:${version}\n`)
  const { packages } = JSON.parse(read('package-lock.json'))
  expect(packages['packages/client'].version).toBe(version)
  expect(packages['packages/client'].dependencies['@svc-admin/types']).toBe(version)
})

test("records the documents' baseline for the gate", async () => {
  const { version } = JSON.parse(read('spec/package.json'))
  await git('tag', `spec-v${old}`)
  const gate = await copy.run('npm', ['run', '--silent', 'gate', '-w', 'spec'])
  expect(gate).toEqual({
    code: 0,
    output: expect.stringContaining(`Compared with spec ${version}: 0 problems, 0 exemptions.`),
  })
})
